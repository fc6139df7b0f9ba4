import { UsageError } from '../../server/commands/declaration.ts';
import { type Column, printError, printJson, printRows, printText } from '../../server/commands/print.ts';
import { withDatabase } from '../../server/commands/stores.ts';
import { refusedLately, refusedLine } from '../../server/http/limits/stored-quota.ts';
import { createMessages, type Message, type Messages } from './messages.ts';

const columns: readonly Column[] = ['id', 'reference', 'arrived', 'form', 'mail', 'from', 'subject'].map(
  (name) => ({ name }),
);

/** The number of a message that is named by it, or by the reference that its writer has; null when there is none. */
const idOf = async (name: number | string, messages: Pick<Messages, 'find'>): Promise<number | null> =>
  typeof name === 'number' ? name : messages.find(name);

const cellsOf = ({ id, reference, madeAt, form, mailState, email, subject }: Message) => [
  `#${id}`,
  reference,
  new Date(madeAt).toISOString(),
  form,
  mailState,
  email,
  subject,
];

function printMessage(message: Message): void {
  const { id, reference, form, locale, madeAt, mailState, mailAttempts, fields } = message;
  printText(
    `#${id}  ${reference}  ${new Date(madeAt).toISOString()}  ${form}  ${locale}  ${mailState}, ${mailAttempts} attempt(s)`,
  );
  for (const [field, value] of Object.entries(fields)) printText(`\n${field}:\n${value}`);
}

interface ListCall {
  readonly limit: number;
  readonly before: number | undefined;
  readonly json: boolean;
}

/** Lists the newest messages. */
export const listMessages = ({ limit, before, json }: ListCall): Promise<number> =>
  withDatabase(async ({ query }) => {
    const found = await createMessages(query, Date.now).list({
      limit,
      ...(before !== undefined && { before }),
    });
    if (json) printJson(found);
    else await printRows(columns, found.map(cellsOf));
    const refused = await refusedLately(query, 'messages');
    if (refused > 0) printError(refusedLine(refused, 'messages'));
    return 0;
  });

/** Shows one message whole. @returns 1 when there is none */
export const showMessage = ({ id: name, json }: { id: number | string; json: boolean }): Promise<number> =>
  withDatabase(async ({ query }) => {
    const kept = createMessages(query, Date.now);
    const id = await idOf(name, kept);
    const message = id === null ? null : await kept.show(id);
    if (message === null) printError(`There is no message ${name}.`);
    else if (json) printJson(message);
    else printMessage(message);
    return message === null ? 1 : 0;
  });

interface DeleteCall {
  readonly id: number | string | undefined;
  readonly email: string | undefined;
  readonly json: boolean;
}

/** Deletes one message, or all of a mailbox. @returns 1 when there was none */
export async function deleteMessages({ id: name, email, json }: DeleteCall): Promise<number> {
  if ((name === undefined) === (email === undefined))
    throw new UsageError('messages delete needs ID or --email ADDRESS');
  return withDatabase(async ({ query }) => {
    const kept = createMessages(query, Date.now);
    const id = name === undefined ? null : await idOf(name, kept);
    const deleted =
      name === undefined
        ? await kept.deleteMailbox(email ?? '')
        : Number(id !== null && (await kept.delete(id)));
    if (json) printJson({ deleted });
    else if (name === undefined) printText(`${deleted} message(s) of ${email} deleted.`);
    else if (deleted === 1) printText(`Message #${id} deleted.`);
    else printError(`There is no message ${name}.`);
    return deleted > 0 ? 0 : 1;
  });
}
