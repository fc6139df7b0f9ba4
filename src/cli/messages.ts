import { createMessages, type Message } from '../visitors/messages/messages.ts';
import { type Command, printJson, printText, readWords, UsageError, withDatabase } from './command.ts';

const options = {
  json: { type: 'boolean', default: false },
  limit: { type: 'string', default: '50' },
  before: { type: 'string' },
} as const;

const wholeNumber = (text: string, name: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number`);
  return Number(text);
};

const line = ({ id, madeAt, form, mailState, email, subject }: Message) =>
  [`#${id}`, new Date(madeAt).toISOString(), form, mailState, email, subject]
    .join('  ')
    .replaceAll('\n', ' ');

function printMessage({ id, form, locale, madeAt, mailState, mailAttempts, fields }: Message): void {
  printText(
    `#${id}  ${new Date(madeAt).toISOString()}  ${form}  ${locale}  ${mailState}, ${mailAttempts} attempt(s)`,
  );
  for (const [field, value] of Object.entries(fields)) printText(`\n${field}:\n${value}`);
}

/** Shows the operator what visitors wrote. */
export const messages: Command = {
  usage: 'messages list [--limit N] [--before ID] | show ID   [--json]',
  about: 'what visitors wrote by the contact and the DMCA form',
  async run(words) {
    const { values, positionals } = readWords(words, options);
    const [verb = 'list', ...rest] = positionals;
    if (verb === 'show') {
      const id = wholeNumber(rest[0] ?? '', 'ID');
      return withDatabase(async ({ query }) => {
        const message = await createMessages(query, Date.now).show(id);
        if (message === null) console.error(`There is no message #${id}.`);
        else if (values.json) printJson(message);
        else printMessage(message);
        return message === null ? 1 : 0;
      });
    }
    if (verb !== 'list' || rest.length > 0) throw new UsageError('messages needs list or show ID');
    const limit = wholeNumber(values.limit, '--limit');
    const before = values.before === undefined ? {} : { before: wholeNumber(values.before, '--before') };
    return withDatabase(async ({ query }) => {
      const found = await createMessages(query, Date.now).list({ limit, ...before });
      if (values.json) printJson(found);
      else for (const message of found) printText(line(message));
      return 0;
    });
  },
};
