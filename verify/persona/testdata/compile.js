// Compiles contracts with the model checker. The first argument is the folder that the queries go to, numbered, the second is "host"
// for z3 as solc's own command line calls it, or else the arguments for z3, which then has the query on standard input; the others
// are the contracts. Standard output is solc's.
const fs = require('fs')
const path = require('path')
const { spawnSync } = require('child_process')
const solc = require('solc')
const { smtSolver, availableSolvers } = require('solc/smtsolver')

const [queries, how, ...files] = process.argv.slice(2)
const sources = {}
for (const file of files) {
  sources[path.basename(file)] = { content: fs.readFileSync(file, 'utf8') }
}
const input = {
  language: 'Solidity',
  sources,
  settings: {
    modelChecker: {
      engine: 'chc', targets: ['assert'], solvers: ['smtlib2'], invariants: ['contract', 'reentrancy'], showProvedSafe: true, showUnproved: true
    }
  }
}
let number = 0
const smtSolverCallback = query => {
  fs.writeFileSync(path.join(queries, `${number++}.smt2`), query)
  if (how === 'host') {
    return { contents: smtSolver(query, availableSolvers[0]) }
  }
  return { contents: spawnSync('z3', how.split(' '), { input: query, encoding: 'utf8' }).stdout }
}
console.log(solc.compile(JSON.stringify(input), { smtSolver: smtSolverCallback }))
