import { type CommandGroup, command } from '../../server/commands/declaration.ts';
import { textLike, wholeNumber } from '../../server/commands/values.ts';
import { readReference } from './reference.ts';

/** The number of a message, or the reference that its writer has. @throws UsageError */
function readName(text: string): number | string {
  const reference = /^\d*$/.test(text) ? null : readReference(text);
  return reference ?? wholeNumber(1)(text);
}

const id = { about: 'the number of a message, or its reference', read: readName } as const;

export default {
  name: 'messages',
  about: 'what visitors wrote by the contact and the DMCA form',
  usual: 'list',
  commands: [
    command({
      name: 'list',
      about: 'the newest messages',
      options: {
        limit: { value: 'N', about: 'how many', default: '50', read: wholeNumber(1) },
        before: { value: 'ID', about: 'only those before this one', read: wholeNumber(1) },
      },
      load: async () => (await import('./commands.ts')).listMessages,
    }),
    command({
      name: 'show',
      about: 'one message, whole',
      arguments: { id },
      load: async () => (await import('./commands.ts')).showMessage,
    }),
    command({
      name: 'delete',
      about: 'delete one message, or all of a mailbox',
      arguments: { id: { ...id, optional: true } },
      options: {
        email: {
          value: 'ADDRESS',
          about: 'all of this mailbox, however its address is written',
          read: textLike(/^[^\s@]+@[^\s@]+$/, 'must be one e-mail address'),
        },
      },
      load: async () => (await import('./commands.ts')).deleteMessages,
    }),
  ],
} satisfies CommandGroup;
