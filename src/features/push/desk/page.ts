import type { Kysely } from 'kysely';
import { z } from 'zod';
import { languages } from '../../../i18n/languages.ts';
import { type Action, type DeskPage, Refused, textsOf } from '../../../server/desk/desk-page.ts';
import type { SiteConfiguration } from '../../../site/configuration/configuration.ts';
import type { Tables } from '../../../stores/contracts/database.ts';
import type { NewPushMessage } from '../contracts.ts';
import type { PushStore } from '../push-store.ts';
import { messagesFor, type PushWish, WrongPush, withSubscribers } from '../sending/push-messages.ts';

interface PushPageParts {
  readonly store: Pick<PushStore, 'add' | 'count' | 'list'>;
  readonly query: Kysely<Tables>;
  readonly configuration: SiteConfiguration;
  readonly origin: string;
}

/** The planned notifications, and their numbers of devices. */
export interface PlannedPush {
  readonly wish: PushWish;
  readonly messages: Awaited<ReturnType<typeof withSubscribers>>;
}

const shownMessages = 50;

/** Empty fields of a form are left out. */
const field = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .transform((text) => text || undefined)
    .optional();

const wishForm = z.object({
  title: field(200),
  body: field(2000),
  url: field(2000),
  language: field(20),
  article: field(200),
});

/** Notifications: written, looked at in each language, sent, and watched. The running site sends them. */
export function pushPage({ store, query, configuration, origin }: PushPageParts) {
  /** Does something with what the form asks for, or says what is wrong with it. */
  const withMessages =
    (task: (wish: PushWish, messages: readonly NewPushMessage[]) => ReturnType<Action>): Action =>
    async ({ form }) => {
      const wish = textsOf(form, wishForm, 'A field is too long.');
      try {
        return await task(wish, await messagesFor(query, { configuration, origin }, wish));
      } catch (thrown) {
        if (!(thrown instanceof WrongPush)) throw thrown;
        throw new Refused(`${thrown.field}: ${thrown.message}`);
      }
    };

  const preview = withMessages(async (wish, messages) => ({
    outcome: 'done',
    object: '',
    text: 'This is what devices would show. Nothing was sent.',
    shown: {
      wish,
      messages: await withSubscribers(store, messages),
    } satisfies PlannedPush,
  }));

  const send = withMessages(async (_, messages) => {
    const ids: number[] = [];
    for (const message of messages) ids.push(await store.add(message));
    return {
      outcome: 'done',
      object: `notifications ${ids.join(', ')}`,
      text: 'They are sent within a quarter of a minute from now on.',
    };
  });

  return {
    name: 'push',
    section: 'Do',
    title: 'Notifications',
    async load() {
      return {
        languages: Object.fromEntries(
          configuration.locales.map((locale) => [locale, languages[locale].name]),
        ),
        subscribers: await store.count(null),
        messages: await store.list(shownMessages),
      };
    },
    actions: { preview, send },
  } satisfies DeskPage;
}

export type PushData = NonNullable<Awaited<ReturnType<ReturnType<typeof pushPage>['load']>>>;
