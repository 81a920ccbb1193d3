# SPDX-License-Identifier: GPL-2.0
"""Asks DuckDB, by a script of node.

DuckDB comes from npm: npm install @duckdb/node-api. NODE_PATH says where, as
$PWD/node_modules.
"""
import json
import subprocess
import tempfile

SCRIPT = """
const {DuckDBInstance} = require('@duckdb/node-api');
(async () => {
  const duck = await DuckDBInstance.create(':memory:');
  const connection = await duck.connect();
  const [setup, queries] = JSON.parse(require('fs').readFileSync(0));
  for (const statement of setup)
    await connection.run(statement);
  for (const query of queries) {
    const rows = await connection.stream(query);
    for await (const some of rows.yieldRowObjectJson())
      process.stdout.write(some.map(row => JSON.stringify(row) + '\\n').join(''));
    process.stdout.write('\\n');
  }
})();
"""


def answers(setup, queries):
    """Yield the rows of each query, behind the statements of setup: [{column: value}].

    Integers of 8 bytes are text.
    """
    with tempfile.TemporaryFile("w+", encoding="utf-8") as asked:
        json.dump([setup, queries], asked)
        asked.seek(0)
        with subprocess.Popen(["node", "-e", SCRIPT], stdin=asked, stdout=subprocess.PIPE,
                              encoding="utf-8") as node:
            rows = []
            for line in node.stdout:
                if line != "\n":
                    rows.append(json.loads(line))
                    continue
                yield rows
                rows = []
    if node.returncode:
        raise ValueError("node failed")
