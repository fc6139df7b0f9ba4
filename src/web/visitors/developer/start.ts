import { endDeveloperMode, isDeveloperMode } from '../../browser/developer-mode.ts';
import { currentConsent, onConsent } from '../../consent/current-consent.ts';
import { browserState } from '../../state/browser-state.ts';
import type { DeveloperState } from '../../state/site-state.ts';
import { onEvent } from '../events.ts';
import { storedItems } from '../stored/stored-items.ts';
import { openPanel, type Panel, type PanelRow } from './panel.ts';

const yesOrNo = (value: boolean) => (value ? '✓' : '✗');

/** Of the experiments that run: every cookie that nothing else of the site is kept in. */
function buckets(): string {
  const cookies = document.cookie.split('; ').map((cookie) => cookie.split('='));
  const own = cookies.filter(
    ([name = '', value = '']) =>
      name !== '' && !(name in storedItems) && name !== 'XSRF-TOKEN' && /^[\w-]{1,40}$/.test(value),
  );
  return own.map(([name, value]) => `${name}=${value}`).join(', ') || '—';
}

/** Of the page's own scripts: the file that this one is built into has a name of its own in each build. */
const ownBuild = new URL(import.meta.url).pathname.replace(/^.*\//, '');

function rowsOf({ pageCache, build, locale }: DeveloperState): PanelRow[] {
  const { lang, dir } = document.documentElement;
  const { key, isKept } = pageCache;
  const consent = Object.entries(currentConsent()).map(([name, agreed]) => `${name} ${yesOrNo(agreed)}`);
  return [
    { label: 'language', value: `${locale} (${lang}, ${dir})` },
    { label: 'build', value: `${ownBuild} / ${build}` },
    { label: 'page-cache', value: key === null ? '—' : `${key} ${yesOrNo(isKept)}` },
    { label: 'buckets', value: buckets() },
    { label: 'consent', value: consent.join(', ') },
  ];
}

/** The key under which the document was kept, where the server says it; null for a page that came later. */
function documentKey(): string | null {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation === undefined || new URL(navigation.name).pathname !== location.pathname) return null;
  return navigation.serverTiming.find(({ name }) => name === 'page-cache')?.description ?? null;
}

async function readState(): Promise<DeveloperState> {
  const key = documentKey();
  const query = new URLSearchParams({
    path: location.pathname + location.search,
    ...(key !== null && { key }),
  });
  const answer = await fetch(`/api/state?${query}`);
  if (!answer.ok) throw new Error(`The state was answered with ${answer.status}`);
  return ((await answer.json()) as { data: DeveloperState }).data;
}

const nameOf = (data: Readonly<Record<string, unknown>>, mode: string) =>
  typeof data.event === 'string' ? data.event : mode;

/** Shows what the site knows of the present page, and each event as it would be sent, until `#dev=0`. */
export function start(): void {
  let panel: Panel | null = null;
  let last: DeveloperState | null = null;
  let endEvents = () => {};

  function show(): void {
    if (last === null || panel === null) return;
    const { labels: _, pageCache: _cache, build: _build, ...state } = last;
    panel.show(rowsOf(last), browserState(state));
  }

  async function look(): Promise<void> {
    if (!isDeveloperMode()) {
      endEvents();
      panel?.remove();
      panel = null;
      return;
    }
    last = await readState();
    if (panel === null) {
      const opened = openPanel(last.labels, endDeveloperMode);
      panel = opened;
      endEvents = onEvent((event) => opened.addEvent(nameOf(event.data, event.mode), event));
    }
    show();
  }

  const lookAgain = () => look().catch((error: unknown) => console.warn(error));
  void lookAgain();
  onConsent(show);
  addEventListener('hashchange', () => void lookAgain());
  // Changes of the page without a new document.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener(
    'navigatesuccess',
    () => void lookAgain(),
  );
}
