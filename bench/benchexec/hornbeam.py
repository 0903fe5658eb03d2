# Tool-info module of Hornbeam for BenchExec: bench/benchexec/README.md says where it goes.

import benchexec.tools.chc


class Tool(benchexec.tools.chc.ChcTool):
    """
    Tool info for Hornbeam, a verification engine for constrained Horn clauses.

    The verdict is the line "sat" or "unsat" of the output, as for every CHC solver; with the option --model, the model
    follows it. Whatever else is printed goes to standard error, as comments that begin with a semicolon.
    """

    REQUIRED_PATHS = ["hornbeam", "lib"]

    def executable(self, tool_locator):
        return tool_locator.find_executable("hornbeam")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hornbeam")

    def name(self):
        return "Hornbeam"

    def cmdline(self, executable, options, task, rlimits):
        return [executable, "solve"] + options + [task.single_input_file]
