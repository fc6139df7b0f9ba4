import { useCallback, useEffect, useRef, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import { keepAwake, onWaking } from '../../../site/browser/device/keep-awake.ts';
import { handOverMade } from '../../../site/browser/downloads/hand-over.ts';
import { loadWhole, withinLimit } from '../../../site/browser/navigation/route-modules.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button, LiveRegion, VisuallyHidden } from '../../../site/ui/controls.tsx';
import { Notice, Progress } from '../../../site/ui/surfaces.tsx';
import type { Pace } from '../pace.ts';
import { gapMs, inWords } from '../run/pacing.ts';
import { isTemporary, type Run, type RunPost, type RunView } from '../run/run.ts';
import type { Runner } from '../run/runner.ts';

/** The code of runs; null where it cannot be had. A new version of the site has loaded the document anew by then. */
async function loadRun() {
  try {
    return await withinLimit('run', import('../run/open-run.ts'));
  } catch (error) {
    console.error(error);
    if (navigator.onLine) loadWhole(location.pathname);
    return null;
  }
}

/** A run of this device. A new one begins at once; a stored one when the visitor says so. */
function useRun(run: Run, posts: readonly RunPost[], isNew: boolean, pace: Pace) {
  const locale = useLocale();
  const isOver = posts.every(({ state }) => state !== 'waiting');
  const [view, setView] = useState<RunView>({
    ...{ phase: isOver ? 'done' : 'paused', why: null, hold: null, posts, active: [] },
  });
  const [isElsewhere, setElsewhere] = useState(false);
  /** Whether the device slept while it went on. */
  const [wasAsleep, setAsleep] = useState(false);
  /** The last zip that the browser got. */
  const [zip, setZip] = useState<File | null>(null);
  const runner = useRef<Runner>(null);
  const leave = useRef<(() => void)[]>([]);
  // Another language brings other page data; a run that goes on keeps what it began with.
  const present = useRef({ pace, locale });
  useEffect(() => {
    present.current = { pace, locale };
  });

  const begin = useCallback(
    async (act: (running: Runner) => void) => {
      const code = await loadRun();
      if (code === null) {
        setView((before) => ({ ...before, why: 'broken' }));
        return;
      }
      const { openRun, mayWrite, claim } = code;
      if (!(await mayWrite(run.folder))) {
        setView((before) => ({ ...before, why: 'folder' }));
        return;
      }
      if (runner.current === null) {
        const release = await claim();
        setElsewhere(release === null);
        if (release === null) return;
        let newest: RunView | null = null;
        const show = () => {
          if (newest !== null) setView(newest);
          newest = null;
        };
        // A run changes more often than anybody can read.
        const onChange = (changed: RunView) => {
          if (newest === null) setTimeout(show, 50);
          newest = changed;
        };
        const opened = openRun({ ...present.current, ...{ run, posts, onChange }, onZip: setZip });
        runner.current = opened;
        const online = () => opened.online();
        addEventListener('online', online);
        leave.current = [
          () => removeEventListener('online', online),
          keepAwake(),
          onWaking(() => setAsleep(true)),
          () => opened.leave(),
          release,
        ];
      }
      act(runner.current);
    },
    [run, posts],
  );

  useEffect(() => {
    if (isNew) void begin((running) => running.start());
    return () => {
      for (const end of leave.current.splice(0)) end();
      runner.current = null;
    };
  }, [isNew, begin]);

  return {
    ...{ view, isElsewhere, wasAsleep, zip },
    start: () => begin((running) => running.start()),
    pause: () => runner.current?.pause(),
    skip: (n: number) => void runner.current?.skip(n),
    retry: () => begin((running) => void running.retry()),
  };
}

interface RunningProps {
  run: Run;
  posts: readonly RunPost[];
  isNew: boolean;
  pace: Pace;
  onRemove(): Promise<void>;
}

const titles = {
  running: 'run.title',
  paused: 'run.paused',
  settling: 'run.settling',
  done: 'run.done',
} as const;

/** A run: how far it is, what holds it, and what became of its posts. */
export function Running({ run, posts, isNew, pace, onRemove }: RunningProps) {
  const t = useTranslate<'many-posts'>();
  const locale = useLocale();
  const { view, isElsewhere, wasAsleep, zip, ...actions } = useRun(run, posts, isNew, pace);
  const { phase, active } = view;
  const count = view.posts.length;
  const of = (state: RunPost['state']) => view.posts.filter((post) => post.state === state);
  const [saved, failed, skipped, waiting] = [of('saved'), of('failed'), of('skipped'), of('waiting').length];
  const again = failed.filter(isTemporary).length + skipped.length;
  const done = count - waiting;
  const said = t('run.count', { done, count });
  const reason = useWhy(view);
  const why = isElsewhere ? t('run.elsewhere') : (reason ?? (wasAsleep ? t('run.slept') : null));
  return (
    <div className="many-running">
      <h2>{t(titles[phase])}</h2>
      <Progress fraction={count === 0 ? 1 : done / count} label={said} />
      <p className="many-counts">
        <strong>{said}</strong>
        <span>{t('run.saved', { count: saved.length })}</span>
        {failed.length > 0 && <span>{t('run.failed', { count: failed.length })}</span>}
        {skipped.length > 0 && <span>{t('run.skipped', { count: skipped.length })}</span>}
        {phase === 'running' && waiting > 0 && (
          <span>{t('run.left', { time: inWords((waiting * gapMs(pace.posts)) / 60_000, locale) })}</span>
        )}
      </p>
      {why !== null && (
        <Notice kind={phase === 'running' || reason === null ? 'plain' : 'error'}>{why}</Notice>
      )}
      <LiveRegion>{why ?? `${t(titles[phase])} ${tenths(done, count) === done ? said : ''}`}</LiveRegion>
      <p className="many-actions">
        {phase === 'running' && (
          <Button strength="plain" onClick={actions.pause}>
            {t('run.pause')}
          </Button>
        )}
        {phase === 'paused' && (
          <Button strength="action" onClick={() => void actions.start()}>
            {t('run.go-on')}
          </Button>
        )}
        {again > 0 && phase !== 'settling' && (
          <Button strength="plain" onClick={() => void actions.retry()}>
            {t('run.retry', { count: again })}
          </Button>
        )}
        {zip !== null && (
          <Button strength="plain" icon="download" onClick={() => handOverMade(zip)}>
            {t('run.zip-again', { name: zip.name })}
          </Button>
        )}
        {(phase === 'paused' || phase === 'done') && (
          <Button strength="quiet" onClick={() => void onRemove()}>
            {t(phase === 'done' ? 'start.other' : 'run.end')}
          </Button>
        )}
      </p>
      {active.length > 0 && (
        <ul className="many-active">
          {active.map(({ n, link }) => (
            <li key={n}>
              <bdi dir="ltr">{shortened(link)}</bdi>
              <Button strength="quiet" onClick={() => actions.skip(n)}>
                {t('run.skip')}
                <VisuallyHidden>: {shortened(link)}</VisuallyHidden>
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Failures posts={failed} />
      <p className="many-soft">{t('run.list')}</p>
      {phase !== 'done' && <p className="many-soft">{t('run.kept')}</p>}
    </div>
  );
}

/** A post's number, or a short link's code. */
const shortened = (link: string) => link.replace(/.*\/(?=.)/, '');

/** The last tenth that is done: screen readers hear of each. */
const tenths = (done: number, count: number) => Math.ceil((Math.floor((done * 10) / count) * count) / 10);

/** Why a run does not go on, in words; null when it does. */
function useWhy({ phase, why, hold }: RunView): string | null {
  const t = useTranslate<'many-posts'>();
  const locale = useLocale();
  if (hold !== null && phase === 'running') {
    if (hold.message === null) return t('run.offline');
    const time = new Intl.DateTimeFormat(languages[locale].intl, { timeStyle: 'medium' }).format(hold.until);
    return `${hold.message} ${t('run.goes-on', { time })}`;
  }
  return why === null || why === 'asked' ? null : t(`run.${why}`);
}

/** Links that are shown of each kind; the list in the files has all. */
const mostShown = 200;

/** Why posts were not saved: each reason once, with its posts. */
function Failures({ posts }: { posts: readonly RunPost[] }) {
  const reasons = [...new Set(posts.map(({ reason = '' }) => reason))];
  return reasons.map((reason) => (
    <Failed key={reason} reason={reason} posts={posts.filter((post) => (post.reason ?? '') === reason)} />
  ));
}

function Failed({ reason, posts }: { reason: string; posts: readonly RunPost[] }) {
  const locale = languages[useLocale()].intl;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="many-failures" onToggle={({ currentTarget: { open } }) => setOpen(open)}>
      <summary>
        <span>
          {posts[0]?.message || reason} <bdi>({new Intl.NumberFormat(locale).format(posts.length)})</bdi>
        </span>
      </summary>
      {isOpen && (
        <ul>
          {posts.slice(0, mostShown).map(({ n, link }) => (
            <li key={n}>
              <a href={link} dir="ltr" target="_blank" rel="noopener noreferrer nofollow">
                {shortened(link)}
              </a>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
