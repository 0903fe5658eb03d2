// Starts `hornbeam lsp` and connects it to the editor.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const configuration = vscode.workspace.getConfiguration("hornbeam");
  const server = { command: configuration.get("path"), args: ["lsp"] };
  client = new LanguageClient("hornbeam", "Hornbeam", server, {
    documentSelector: ["boogie", "c", "smt2"].map((language) => ({ language })),
    initializationOptions: configuration.get("settings"),
  });
  return client.start();
}

async function restart() {
  await deactivate();
  return start();
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("hornbeam.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("hornbeam") && restart()),
  );
  return start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  // A server that did not start cannot be stopped.
  if (running && running.needsStop()) await running.stop();
}

module.exports = { activate, deactivate };
