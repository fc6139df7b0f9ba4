import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { textLike, wholeNumber } from '../../server/commands/values.ts';
import { readReference } from './reference.ts';

/** The number of a message, or the reference that its writer has. @throws UsageError */
function readName(text: string): number | string {
  const reference = /^\d*$/.test(text) ? null : readReference(text);
  return reference ?? wholeNumber(1)(text);
}

const id = { about: 'a message’s number or reference', read: readName } as const;

export default {
  name: 'messages',
  about: 'read and delete messages from the contact and DMCA forms',
  usual: 'list',
  commands: [
    command({
      name: 'list',
      about: 'list recent messages',
      options: {
        limit: { value: 'N', about: 'number of messages', default: '50', read: wholeNumber(1) },
        before: { value: 'ID', about: 'only messages older than this one', read: wholeNumber(1) },
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
      about: 'delete one message, or all messages of one sender',
      arguments: { id: { ...id, optional: true } },
      options: {
        email: {
          value: 'ADDRESS',
          about: 'all messages from this address, in any spelling',
          read: textLike(/^[^\s@]+@[^\s@]+$/, 'must be one e-mail address'),
        },
      },
      load: async () => (await import('./commands.ts')).deleteMessages,
    }),
  ],
} satisfies CommandGroup;
