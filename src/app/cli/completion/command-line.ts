import { command } from '../../../web/commands/declaration.ts';

export const completion = command({
  name: 'completion',
  about: 'print what makes a shell complete commands, for its start-up file',
  details:
    'bash: source <(clipferry completion bash)   zsh: source <(clipferry completion zsh)   fish: clipferry completion fish | source',
  arguments: { shell: { about: 'your shell', choices: ['bash', 'zsh', 'fish'] } },
  options: {
    program: { value: 'NAME', about: 'the command that is completed', default: 'clipferry' },
  },
  load: async () => (await import('./completion.ts')).printCompletion,
});
