import {
  type CommandGroup,
  command,
  textLike,
  UsageError,
  wholeNumber,
} from '../../server/commands/declaration.ts';
import { readReference } from './reference.ts';

/** The number of a message, or the reference that its writer has. @throws UsageError */
function readName(text: string): number | string {
  if (/^\d+$/.test(text)) return wholeNumber(1)(text);
  const reference = readReference(text);
  if (reference === null) throw new UsageError(`"${text}" must be a number or a reference such as K7Q-F2M`);
  return reference;
}

const id = { about: 'number or reference of the message', read: readName } as const;

export default {
  name: 'messages',
  about: 'list, read and delete messages of visitors',
  usual: 'list',
  commands: [
    command({
      name: 'list',
      about: 'list messages, newest first',
      options: {
        limit: { value: 'N', about: 'how many messages', default: '50', read: wholeNumber(1) },
        before: {
          value: 'ID',
          about: 'only messages older than the one with this number',
          read: wholeNumber(1),
        },
      },
      load: async () => (await import('./commands.ts')).listMessages,
    }),
    command({
      name: 'show',
      about: 'show one message',
      arguments: { id },
      load: async () => (await import('./commands.ts')).showMessage,
    }),
    command({
      name: 'delete',
      about: 'delete one message, or all of one sender',
      arguments: { id: { ...id, optional: true } },
      options: {
        email: {
          value: 'ADDRESS',
          about: 'delete all messages from this address, however it is spelled',
          read: textLike(/^[^\s@]+@[^\s@]+$/, 'must be one e-mail address'),
        },
      },
      load: async () => (await import('./commands.ts')).deleteMessages,
    }),
  ],
} satisfies CommandGroup;
