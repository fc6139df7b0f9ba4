import { z } from 'zod';
import { type Action, beforeOf, type DeskPage, numberIn, olderThan } from '../../../server/desk/desk-page.ts';
import type { Answers } from '../answers.ts';
import type { Mailing } from '../mail/mailing.ts';
import type { Messages } from '../messages.ts';

interface MessagesPageParts {
  readonly messages: Pick<Messages, 'list' | 'show' | 'delete'>;
  readonly answers: Pick<Answers, 'listOf'>;
  readonly mailing: Pick<Mailing, 'answer'>;
}

const pageSize = 50;
const longestAnswer = 10_000;

const answerForm = z.object({ text: z.string().trim().min(1).max(longestAnswer) });

/** The page of visitors' messages, to read, answer by mail, and delete. */
export function messagesPage({ messages, answers, mailing }: MessagesPageParts) {
  const answer: Action = async ({ parts, form }) => {
    const id = numberIn(parts) ?? 0;
    const object = `message ${id}`;
    if (mailing.answer === null)
      return { outcome: 'refused', object, text: 'There is no mail server: set SMTP_URL and CONTACT_TO.' };
    const checked = answerForm.safeParse(Object.fromEntries(form));
    if (!checked.success)
      return { outcome: 'refused', object, text: `An answer has 1 to ${longestAnswer} characters.` };
    if ((await messages.show(id)) === null)
      return { outcome: 'failed', object, text: `There is no message ${id}.`, next: 'messages' };
    await mailing.answer(id, checked.data.text.replaceAll('\r\n', '\n'));
    return { outcome: 'done', object, text: `The answer to message ${id} is on its way.` };
  };

  const remove: Action = async ({ parts }) => {
    const id = numberIn(parts) ?? 0;
    const isThere = await messages.delete(id);
    return {
      outcome: isThere ? 'done' : 'failed',
      object: `message ${id}`,
      text: isThere ? `Message ${id} is deleted.` : `There is no message ${id}.`,
      next: 'messages',
    };
  };

  return {
    name: 'messages',
    section: 'Do',
    title: 'Messages',
    hasParts: true,
    async load({ parts, query }) {
      if (parts.length === 0) {
        const found = await messages.list({ limit: pageSize, ...beforeOf(query) });
        return { kind: 'list' as const, messages: found, before: olderThan(found, pageSize) };
      }
      const id = numberIn(parts);
      const message = id === null ? null : await messages.show(id);
      if (message === null) return null;
      return {
        kind: 'message' as const,
        message,
        answers: await answers.listOf(message.id),
        canAnswer: mailing.answer !== null,
      };
    },
    actions: { answer, delete: remove },
  } satisfies DeskPage;
}

export type MessagesData = NonNullable<Awaited<ReturnType<ReturnType<typeof messagesPage>['load']>>>;
