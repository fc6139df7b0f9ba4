import { type CommandGroup, command, textLike } from '../../server/commands/declaration.ts';
import { operatorName } from './log-in/operator-name.ts';

const name = {
  about: 'name for the log-in and the audit log: up to 40 letters, digits, dots, dashes, underscores and @',
  read: textLike(operatorName, 'must have 1 to 40 letters, digits, dots, dashes, underscores and @'),
} as const;

export default {
  name: 'operator',
  about: 'create log-ins for operators of the desk',
  commands: [
    command({
      name: 'add',
      about: 'print a password, a second factor, and a line for OPERATOR_PASSWORDS_FILE',
      details:
        'It stores nothing. Add the line to the file yourself; it takes effect at once. The password is not shown again.',
      arguments: { name },
      options: { withoutCode: { about: 'omit the second factor' } },
      load: async () => (await import('./log-in/add-operator.ts')).addOperator,
    }),
  ],
} satisfies CommandGroup;
