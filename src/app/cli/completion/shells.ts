import type { Place, Values } from './places.ts';

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A name that a shell function may have. */
const functionName = (program: string): string => `_${program.replace(/\W/g, '_')}`;

/** The cases of a `case` that follows the names that were typed: `keys/create) at='keys create' ;;`. */
const steps = (places: readonly Place[]): string[] =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => {
      const at = path.lastIndexOf(' ');
      return `${quoted(`${path.slice(0, Math.max(0, at))}/${path.slice(at + 1)}`)}) at=${quoted(path)} ;;`;
    });

/** @param complete what completes files, folders, and given words */
function valueCases(
  places: readonly Place[],
  complete: (values: Exclude<Values, 'anything'>) => string,
): string[] {
  return places.flatMap(({ path, values }) =>
    values.map(
      ({ option, values: wanted }) =>
        `${quoted(`${path} ${option}`)}) ${wanted === 'anything' ? '' : `${complete(wanted)}; `}return ;;`,
    ),
  );
}

const indented = (lines: readonly string[]): string => lines.map((line) => `    ${line}`).join('\n');

/** For `~/.bashrc`: `source <(clipferry completion bash)`. */
export function bashScript(program: string, places: readonly Place[]): string {
  const name = functionName(program);
  const words = (list: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(list.join(' '))} -- "$cur"))`;
  const paths = (kind: 'files' | 'folders') => `compopt -o ${kind === 'files' ? 'default' : 'dirnames'}`;
  const cases = places.map(({ path, words: list, completes }) => {
    const candidates = words(list.map(({ word }) => word));
    // An empty list makes bash fall back to files.
    const files = completes === null ? '' : `[[ $cur == -* ]] || { COMPREPLY=(); ${paths(completes)}; }; `;
    return `${quoted(path)}) ${candidates}; ${files};`.replace(/; ;$/, ' ;;').replace(/; $/, ' ;;');
  });
  return `# bash completion of ${program}
${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
${indented(steps(places))}
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${indented(valueCases(places, (values) => (typeof values === 'string' ? paths(values) : words(values))))}
  esac
  case $at in
${indented(cases)}
  esac
}
complete -F ${name} ${program}
`;
}

/** For `~/.zshrc`, after `compinit`: `source <(clipferry completion zsh)`. */
export function zshScript(program: string, places: readonly Place[]): string {
  const name = functionName(program);
  const paths = (kind: 'files' | 'folders') => (kind === 'files' ? '_files' : '_files -/');
  const cases = places.map(({ path, words, completes }) => {
    const list = words.map(({ word, about }) => quoted(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ');
    const files = completes === null ? '' : ` [[ $PREFIX == -* ]] || ${paths(completes)};`;
    return `${quoted(path)}) list=(${list});${files} _describe ${program} list ;;`;
  });
  return `#compdef ${program}
# zsh completion of ${program}
${name}() {
  local at='' i
  local -a list
  for ((i = 2; i < CURRENT; i++)); do
    case "$at/\${words[i]}" in
${indented(steps(places))}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${indented(valueCases(places, (values) => (typeof values === 'string' ? paths(values) : `compadd -- ${values.join(' ')}`)))}
  esac
  case $at in
${indented(cases)}
  esac
}
compdef ${name} ${program}
`;
}

/** For `~/.config/fish/config.fish`: `clipferry completion fish | source`. */
export function fishScript(program: string, places: readonly Place[]): string {
  const name = `_${functionName(program)}_at`;
  const walk = steps(places).map((step) =>
    step.replace(/^('[^']*')\) at=('[^']*') ;;$/, 'case $1; set at $2'),
  );
  const at = (path: string) => `-n ${quoted(`${name} "${path}"`)}`;
  const lines = places.flatMap(({ path, words, completes, values }) => [
    ...words.map(({ word, about }) => {
      const option = values.find((one) => one.option === word)?.values;
      const value =
        option === undefined
          ? ''
          : typeof option === 'string'
            ? ` ${option === 'anything' ? '-x' : '-rF'}`
            : ` -xa ${quoted(option.join(' '))}`;
      const what = word.startsWith('--') ? `-l ${word.slice(2)}${value}` : `-a ${word}`;
      return `complete -c ${program} ${at(path)} ${what} -d ${quoted(about)}`;
    }),
    ...(completes === null ? [] : [`complete -c ${program} ${at(path)} -F`]),
  ]);
  return `# fish completion of ${program}
function ${name}
  set -l at ''
  for word in (commandline -opc)[2..]
    switch "$at/$word"
${indented(walk)}
    end
  end
  test "$at" = "$argv[1]"
end
complete -c ${program} -f
${lines.join('\n')}
`;
}
