import type { Command, Option } from 'commander';
import { act, type Context } from '../context.ts';
import type { Io } from '../io.ts';

// The scripts hand the words to the command as arguments. None of them evaluates a word.
const SCRIPTS = {
  bash: `_concours() {
  COMPREPLY=()
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(concours completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _concours concours
`,
  zsh: `#compdef concours
_concours() {
  local -a found
  found=("\${(@f)$(concours completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _concours concours
`,
  fish: `function __concours_words
  set -l words (commandline -opc) (commandline -ct)
  concours completion words -- $words[2..-1] 2>/dev/null
end
complete -c concours -a '(__concours_words)'
`,
};

export function addCompletion(program: Command, io: Io): void {
  const completion = program.command('completion').description('print the script that completes words in a shell');
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    completion
      .command(shell)
      .description(`the script for ${shell}`)
      .action(act(io, async ({ io: { stdout } }: Context) => void stdout.write(SCRIPTS[shell])));
  completion
    .command('words', { hidden: true })
    .argument('[words...]')
    .action(
      act(io, async ({ io: { stdout } }: Context, words: string[]) => {
        const found = candidates(program, words);
        if (found.length > 0) stdout.write(`${found.join('\n')}\n`);
      }),
    );
}

/** Returns the commands and options that can stand in the place of the last word. None: the shell completes files. */
function candidates(program: Command, words: string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  let awaited: Option | undefined;
  for (const word of words.slice(0, -1)) {
    awaited = awaited ? undefined : valueOption(command, word);
    command = command.commands.find((each) => each.name() === word) ?? command;
  }
  return wordsFor(command, awaited, last).filter((word) => word.startsWith(last));
}

function wordsFor(command: Command, awaited: Option | undefined, last: string): string[] {
  if (awaited) return [...(awaited.argChoices ?? [])];
  const help = command.createHelp();
  if (!last.startsWith('-')) return help.visibleCommands(command).map((each) => each.name());
  return optionsOf(command).flatMap(({ long }) => long ?? []);
}

function valueOption(command: Command, word: string): Option | undefined {
  return optionsOf(command).find((option) => option.long === word && (option.required || option.optional));
}

function optionsOf(command: Command): Option[] {
  const own = command.createHelp().visibleOptions(command);
  return command.parent ? [...own, ...optionsOf(command.parent).filter(({ long }) => long !== '--help')] : own;
}
