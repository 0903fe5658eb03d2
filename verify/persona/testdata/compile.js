// Compiles contracts with the model checker. The arguments are the folder that the queries and answers go to, numbered; how z3 is
// called; its arguments for a query; those for a proof; and the contracts. Standard output is solc's. How z3 is called is one of
//
//   host      as solc's own command line does
//   callback  by the callback that a program gives to the compiler
//   native    as the native compiler does, which reads proofs too
//
// The native compiler is not in npm. The one in WebAssembly differs from it in one function: it asks a z3 that is linked into it,
// Z3_eval_smtlib2_string, where the native one asks a process. Here that function is replaced by a process, so that the answers go
// through the compiler's own parser of models and proofs.
const fs = require('fs')
const path = require('path')
const { spawnSync } = require('child_process')

// evaluate is the number of Z3_eval_smtlib2_string in solc 0.8.37.
const evaluate = '28619'

const [queries, how, forQuery, forProof, ...files] = process.argv.slice(2)
let number = 0
const record = (query, answer) => {
  const file = path.join(queries, `${number++}.smt2`)
  fs.writeFileSync(file, query)
  fs.writeFileSync(file + '.out', answer)
  return answer
}
const z3 = (args, input) => spawnSync('z3', args.split(' '), { input, encoding: 'utf8' }).stdout

// replace puts a process in the place of Z3_eval_smtlib2_string, which the compiler calls by its place in the table of functions, by
// way of the function of JavaScript that catches exceptions.
const replace = () => {
  const Instance = WebAssembly.Instance
  WebAssembly.Instance = function (module, imports) {
    if (!imports.a) {
      return new Instance(module, imports)
    }
    let table, memory, place
    const call = imports.a.c
    imports.a.c = (i, context, query) => {
      if (place === undefined && table.get(i).name === evaluate) {
        place = i
      }
      if (i !== place) {
        return call(i, context, query)
      }
      const bytes = new Uint8Array(memory.buffer)
      const text = Buffer.from(bytes.slice(query, bytes.indexOf(0, query))).toString()
      const proof = text.startsWith('(set-option :produce-proofs true)')
      const answer = Buffer.from(record(text, z3(proof ? forProof : forQuery, text)) + '\0')
      const copy = require('solc/soljson.js')._solidity_alloc(answer.length)
      new Uint8Array(memory.buffer).set(answer, copy)
      return copy
    }
    const instance = new Instance(module, imports)
    table = Object.values(instance.exports).find(e => e instanceof WebAssembly.Table)
    memory = Object.values(instance.exports).find(e => e instanceof WebAssembly.Memory)
    return instance
  }
}
if (how === 'native') {
  replace()
}
const solc = require('solc')
const { smtSolver, availableSolvers } = require('solc/smtsolver')

const sources = {}
for (const file of files) {
  sources[path.basename(file)] = { content: fs.readFileSync(file, 'utf8') }
}
const input = {
  language: 'Solidity',
  sources,
  settings: {
    modelChecker: {
      engine: 'chc',
      targets: ['assert'],
      solvers: [how === 'native' ? 'z3' : 'smtlib2'],
      invariants: ['contract', 'reentrancy'],
      showProvedSafe: true,
      showUnproved: true
    }
  }
}
const callback = query => ({ contents: record(query, how === 'host' ? smtSolver(query, availableSolvers[0]) : z3(forQuery, query)) })
console.log(solc.compile(JSON.stringify(input), how === 'native' ? undefined : { smtSolver: callback }))
