import {
  type DeskNotice,
  type DeskPage,
  type DeskRequest,
  deskSections,
} from '../../server/desk/desk-page.ts';
import { createMemo } from '../../stores/shared-work/memo.ts';
import type { DeskTools } from './desk-tools.ts';
import type { Session } from './log-in/sessions.ts';

/** In answer to a form. */
interface Answer {
  readonly notice: DeskNotice;
  readonly sent: Readonly<Record<string, string>>;
  readonly shown: object | null;
}

/** Notices of the log-in page. */
const problems = {
  wrong: 'That is not the password.',
  wrongNamed: 'The name, the password or the code is wrong.',
  limited: 'Too many tries. Wait for some minutes; a device that has logged in before has tries of its own.',
} as const;

/** A notice is about what has just been done. */
const freshMs = 300_000;
/** A log-in page says the same until the site is restarted. */
const keptMs = 86_400_000;

/** Renders the desk's pages. */
export type Showing = ReturnType<typeof createShowing>;

export function createShowing({ parts, log, operators }: DeskTools, pages: readonly DeskPage[]) {
  const { site, configuration } = parts;
  const { brand: siteName } = configuration;
  const { areNamed } = operators;
  const links = deskSections.flatMap((section) =>
    pages.filter((page) => page.section === section).map(({ name, title }) => ({ name, section, title })),
  );
  const names = new Set(links.map(({ name }) => name));
  /** As many as there are pages and problems: whoever asks for the log-in again and again has nothing rendered. */
  const logIns = createMemo<string>({ max: 3 * (names.size + 1), ttlMs: keptMs });
  if (names.size < pages.length) throw new Error('Two pages of the desk have one name.');

  /** The notice about the action that led to the page. */
  async function noticeOf(query: URLSearchParams): Promise<DeskNotice | null> {
    const text = query.get('entry') ?? '';
    const entry = /^\d{1,9}$/.test(text) ? await log.show(Number(text)) : null;
    if (entry === null || entry.outcome === 'begun' || entry.at < Date.now() - freshMs) return null;
    return { kind: entry.outcome, text: entry.text };
  }

  return {
    /** The desk's first page. */
    home: `/operator/${links[0]?.name ?? ''}`,
    has: (name: string) => names.has(name),

    /** @param to the page that is shown afterwards */
    logIn(to: string, problem: 'wrong' | 'limited' | null): Promise<string> {
      const target = names.has(to) ? to : '';
      const said = problem === 'wrong' && areNamed ? 'wrongNamed' : problem;
      const notice = said === null ? null : ({ kind: 'failed', text: problems[said] } as const);
      return logIns.get(`${target} ${said}`, () =>
        site.renderDesk({
          siteName,
          title: 'Log in',
          notice,
          page: { kind: 'log-in', to: target, areNamed },
        }),
      );
    },

    problem: (title: string, text = 'There is no such page.') =>
      site.renderDesk({ siteName, title, notice: null, page: { kind: 'problem', text } }),

    /** @returns null where the page has nothing to show at this address */
    async page(
      page: DeskPage,
      asked: DeskRequest,
      { token }: Session,
      path: string,
      answer?: Answer,
    ): Promise<string | null> {
      const isKnown = asked.parts.length === 0 || page.hasParts === true;
      const data = isKnown ? await page.load(asked) : null;
      if (data === null) return null;
      const isFirst = !asked.query.has('before');
      const notice = answer?.notice ?? (await noticeOf(asked.query));
      return site.renderDesk({
        ...{ siteName, title: page.title, notice },
        page: {
          ...{ kind: 'page', name: page.name, path, token, links, data, isFirst },
          refreshS: page.refreshS ?? null,
          ...{ sent: answer?.sent ?? {}, shown: answer?.shown ?? null },
        },
      });
    },
  };
}
