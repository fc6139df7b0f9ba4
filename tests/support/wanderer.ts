import type { Browser, Page } from 'playwright-core';
import { type Locale, languages, locales } from '../../src/i18n/languages.ts';
import { parseAddress } from '../../src/site/addressing/addresses.ts';
import { auditStarts } from './audit/starts.ts';
import { openPage, untilIdle, untilScriptsRun } from './browser.ts';
import { type Dice, dice } from './dice.ts';
import { downloaderPages } from './downloader-pages.ts';

const site = { locales, default_locale: 'en' } as const;

/** The pages of a walk. */
export interface Grounds {
  readonly browser: Browser;
  readonly origin: string;
  /** Links of posts to paste, good and bad. */
  readonly links: readonly string[];
  /** The languages between which a walk switches. */
  readonly locales: readonly Locale[];
}

/** A random visit, the same for the same values. */
export interface Walk {
  readonly seed: number;
  readonly steps: number;
  /** Of the window, in pixels. */
  readonly width: number;
  /** Addresses to open, in this order; the walk begins at the first. */
  readonly paths: readonly string[];
}

/** The double's posts to paste: all kinds of results, and some refusals. */
export const pastedPosts = [
  'ordinary',
  'photos',
  'silent',
  'no-text',
  'rtl-title',
  'long-text',
  'deleted',
  'private-post',
];

/** The languages of the walk: both directions, with and without spaces, short and long words. */
export const wanderedLocales: readonly Locale[] = ['en', 'ar', 'zh', 'de'];

const furtherPages = [
  'posts/guides',
  'posts/guides/1',
  'posts/formats',
  'posts-new1/guides',
  'posts-new1/guides/1',
  'view-articles/1',
  'author/editorial-team',
  'author/editorial-team/1',
  'term-of-use',
  '404',
  'error-404',
  'no-such-page',
];

/** An address of every route in a language. */
export function wanderedPaths(locale: Locale): string[] {
  const prefix = locale === 'en' ? '' : `/${locale}`;
  return [
    ...auditStarts([locale], downloaderPages),
    ...furtherPages.map((name) => `${prefix}/${name}`),
    `/tr/${locale}/contact`,
    '/mp3-or-m4a',
  ];
}

interface Place {
  readonly page: Page;
  readonly dice: Dice;
  readonly grounds: Grounds;
}

/** An action of a visitor. @returns a description, or null when it is impossible here */
type Step = (place: Place) => Promise<string | null>;

/** In one step, and also when a menu hides it: an element may disappear between finding and clicking it. */
const click = (page: Page, selector: string) =>
  page.evaluate((wanted) => {
    const element = document.querySelector<HTMLElement>(wanted);
    if (element === null) throw new Error(`${wanted} is not there`);
    element.click();
  }, selector);

const followLink: Step = async ({ page, dice }) => {
  const links = 'a[href^="/"]:not([target], [download])';
  const found = await page.$$eval(links, (all) => all.map((link) => link.getAttribute('href') ?? ''));
  // Other links are files, examples that cost a look-up, and languages, which have a separate step.
  const pages = found.filter((href) => !/^\/(?:api\/|cookie_set)|[?#]|\.[a-z]+$/.test(href));
  const href = dice.oneOf([...new Set(pages)]);
  await click(page, `a[href="${href}"]:not([target], [download])`);
  return `follow ${href}`;
};

const goTo = (name: 'Back' | 'Forward', by: -1 | 1): Step => {
  return async ({ page }) => {
    const target = await page.evaluate((step) => {
      const index = (navigation.currentEntry?.index ?? 0) + step;
      return navigation.entries()[index]?.url ?? null;
    }, by);
    if (target === null) return null;
    await (by < 0 ? page.goBack({ waitUntil: 'commit' }) : page.goForward({ waitUntil: 'commit' }));
    const { pathname } = new URL(target);
    await page.waitForURL((url) => url.pathname === pathname, { waitUntil: 'commit' });
    return `${name} to ${target}`;
  };
};

const goBack = goTo('Back', -1);

/** The most frequent behaviour: a look at another page, and back. */
const lookAndReturn: Step = async (place) => {
  const there = await followLink(place);
  await settle(place.page);
  return `${there}, ${await goBack(place)}`;
};

const takeLogo: Step = async ({ page }) => {
  await click(page, '.header .logo');
  return 'logo';
};

const reload: Step = async ({ page }) => {
  await page.reload({ waitUntil: 'commit' });
  return 'reload';
};

const changeLanguage: Step = async ({ page, dice, grounds }) => {
  const present = await page.getAttribute('html', 'lang');
  const locale = dice.oneOf(grounds.locales.filter((one) => languages[one].lang !== present));
  await click(page, `.footer-languages a[lang="${languages[locale].lang}"]`);
  return `language ${locale}`;
};

const pasteLink: Step = async ({ page, dice, grounds }) => {
  const field = page.locator('#link');
  if ((await field.count()) === 0) return null;
  const link = dice.oneOf(grounds.links);
  const answered = page.waitForResponse((answer) => answer.url().includes('/api/resolve'));
  await field.fill(link);
  await page.locator('.link-submit').click();
  await answered;
  return `paste ${link}`;
};

const openMenu: Step = async ({ page, dice }) => {
  const menus = page.locator('summary:visible');
  const index = dice.below(await menus.count());
  await menus.nth(index).evaluate((summary: HTMLElement) => summary.click());
  return `open or close disclosure ${index}`;
};

/** Frequent steps are listed several times. */
const steps: readonly Step[] = [
  ...Array(6).fill(followLink),
  ...Array(4).fill(lookAndReturn),
  ...Array(2).fill(goBack),
  ...Array(2).fill(goTo('Forward', 1)),
  ...Array(2).fill(takeLogo),
  ...Array(2).fill(changeLanguage),
  ...Array(2).fill(pasteLink),
  reload,
  openMenu,
];

/** Waits for hydration, and until nothing is loading or being painted. */
async function settle(page: Page): Promise<void> {
  // A link that is followed before hydration loads a document: the current page would look settled.
  await untilScriptsRun(page);
  // After a click on a link, React must render before the page shows that the next one is loading.
  await untilIdle(page);
  await page.waitForFunction(() => document.querySelector('.navigation-progress') === null);
  await untilIdle(page);
}

/** Whether an address belongs to a not-found page. */
const isLost = (path: string) => /\/(?:404|error-404|no-such-[a-z]+)$/.test(path);

/** The invariants of every page, whatever the previous one. @returns the violations */
async function faultsOf(page: Page): Promise<string[]> {
  const { pathname } = new URL(page.url());
  const expected = languages[parseAddress(pathname, site).locale].lang;
  const shown = await page.evaluate(() => ({
    heading: document.querySelector('h1')?.innerText ?? '',
    title: document.title,
    lang: document.documentElement.lang,
    status: document.querySelector<HTMLElement>('.error-status')?.innerText,
    isError: document.querySelector('.error-screen') !== null,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }));
  return [
    ...(shown.heading.trim() === '' ? ['there is no heading'] : []),
    ...(shown.title.trim() === '' ? ['there is no title'] : []),
    ...(shown.lang === expected ? [] : [`the language is ${shown.lang}`]),
    ...(shown.isError === isLost(pathname) ? [] : [`error screen: ${shown.isError} (${shown.status})`]),
    ...(shown.status === undefined || shown.status === '404' ? [] : [`the status is ${shown.status}`]),
    ...(shown.overflow === 0 ? [] : [`it is ${shown.overflow} px wider than the window`]),
  ];
}

/**
 * Walks through the site and checks after each step that a complete page is shown, without errors and without requests
 * to other hosts.
 * @throws the violation, with the seed and the steps
 */
export async function wander(grounds: Grounds, { seed, steps: count, width, paths }: Walk): Promise<void> {
  const random = dice(seed);
  const { page, context, problems } = await openPage(grounds.browser, grounds.origin, {
    viewport: { width, height: 800 },
  });
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      console.error(`the policy forbids ${violatedDirective} ${blockedURI} ${sample}`),
    ),
  );
  const done: string[] = [];
  const check = async (what: string) => {
    done.push(`${what} -> ${page.url().slice(grounds.origin.length)}`);
    await settle(page);
    const faults = [...(await faultsOf(page)), ...problems];
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
  const place: Place = { page, dice: random, grounds };
  const waiting = [...paths];
  try {
    for (let left = count; left > 0; left -= 1) {
      const isTimeToOpen = left === count || random.below(left) < waiting.length;
      const path = isTimeToOpen ? waiting.shift() : undefined;
      if (path !== undefined) {
        await page.goto(path, { waitUntil: 'commit' });
        await check(`open ${path}`);
      } else {
        const what = (await random.oneOf(steps)(place)) ?? (await followLink(place));
        await check(what ?? '');
      }
    }
  } catch (cause) {
    const way = done.map((what, index) => `${index + 1}. ${what}`).join('\n');
    throw new Error(`${cause instanceof Error ? cause.message : cause}\nseed ${seed}, ${width} px:\n${way}`, {
      cause,
    });
  } finally {
    await context.close();
  }
}
