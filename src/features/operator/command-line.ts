import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { textLike } from '../../server/commands/values.ts';
import { operatorName } from './log-in/operator-name.ts';

const name = {
  about: 'name of the operator, for log-in and the audit log',
  read: textLike(operatorName, 'must have 1 to 40 letters, digits, dots, dashes, underscores and @'),
} as const;

export default {
  name: 'operator',
  about: 'add an operator of the desk',
  commands: [
    command({
      name: 'add',
      about: 'create a password and a second factor, and print the line for OPERATOR_PASSWORDS_FILE',
      details:
        'It only prints: add the line to the file yourself. Removing a line ends its operator’s sessions.',
      arguments: { name },
      options: { withoutCode: { about: 'create no second factor' } },
      load: async () => (await import('./log-in/add-operator.ts')).addOperator,
    }),
  ],
} satisfies CommandGroup;
