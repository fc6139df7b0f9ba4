import {
  type Command,
  printError,
  printJson,
  printText,
  readWords,
  UsageError,
  withDatabase,
} from '../../web/commands/command.ts';
import { refusedLately, refusedLine } from '../../web/commands/refused.ts';
import { createMessages, type Message, type Messages } from './messages.ts';
import { readReference } from './reference.ts';

const options = {
  json: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
  before: { type: 'string' },
  email: { type: 'string' },
} as const;

const wholeNumber = (text: string, name: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number`);
  return Number(text);
};

/** The number of a message that is named by it, or by the reference that its writer has; null when there is none. */
async function idOf(text: string, messages: Pick<Messages, 'find'>): Promise<number | null> {
  const reference = /^\d*$/.test(text) ? null : readReference(text);
  return reference === null ? wholeNumber(text, 'ID') : messages.find(reference);
}

const line = ({ id, reference, madeAt, form, mailState, email, subject }: Message) =>
  [`#${id}`, reference, new Date(madeAt).toISOString(), form, mailState, email, subject]
    .join('  ')
    .replaceAll('\n', ' ');

function printMessage({
  id,
  reference,
  form,
  locale,
  madeAt,
  mailState,
  mailAttempts,
  fields,
}: Message): void {
  printText(
    `#${id}  ${reference}  ${new Date(madeAt).toISOString()}  ${form}  ${locale}  ${mailState}, ${mailAttempts} attempt(s)`,
  );
  for (const [field, value] of Object.entries(fields)) printText(`\n${field}:\n${value}`);
}

/** Deletes one message, or all of a mailbox. @returns the exit code: 1 when there was none */
async function deleteMessages(
  email: string | undefined,
  words: readonly string[],
  json: boolean,
): Promise<number> {
  const [word, ...rest] = words;
  if ((word === undefined) === (email === undefined) || rest.length > 0)
    throw new UsageError('messages delete needs ID or --email ADDRESS');
  if (email !== undefined && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError('--email must be one e-mail address');
  return withDatabase(async ({ query }) => {
    const kept = createMessages(query, Date.now);
    const id = word === undefined ? null : await idOf(word, kept);
    const deleted =
      word === undefined
        ? await kept.deleteMailbox(email ?? '')
        : Number(id !== null && (await kept.delete(id)));
    if (json) printJson({ deleted });
    else if (word === undefined) printText(`${deleted} message(s) of ${email} deleted.`);
    else if (deleted === 1) printText(`Message #${id} deleted.`);
    else console.error(`There is no message ${word}.`);
    return deleted > 0 ? 0 : 1;
  });
}

/** Shows the operator what visitors wrote, and deletes it. */
export const messages: Command = {
  usage:
    'messages list [--limit N] [--before ID] | show ID|REFERENCE | delete ID|REFERENCE | delete --email ADDRESS   [--json]',
  about: 'what visitors wrote by the contact and the DMCA form',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    const [verb = 'list', ...rest] = positionals;
    if (verb === 'delete') return deleteMessages(values.email, rest, values.json);
    if (values.email !== undefined) throw new UsageError('--email is for messages delete');
    if (verb === 'show') {
      const [word = ''] = rest;
      return withDatabase(async ({ query }) => {
        const kept = createMessages(query, Date.now);
        const id = await idOf(word, kept);
        const message = id === null ? null : await kept.show(id);
        if (message === null) console.error(`There is no message ${word}.`);
        else if (values.json) printJson(message);
        else printMessage(message);
        return message === null ? 1 : 0;
      });
    }
    if (verb !== 'list' || rest.length > 0) throw new UsageError('messages needs list, show ID or delete');
    const limit = wholeNumber(values.limit, '--limit');
    const before = values.before === undefined ? {} : { before: wholeNumber(values.before, '--before') };
    return withDatabase(async ({ query }) => {
      const found = await createMessages(query, Date.now).list({ limit, ...before });
      if (values.json) printJson(found);
      else for (const message of found) printText(line(message));
      const refused = await refusedLately(query, 'messages');
      if (refused > 0) printError(refusedLine(refused, 'messages'));
      return 0;
    });
  },
};
