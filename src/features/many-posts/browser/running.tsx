import { useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import { handOverMade } from '../../../site/browser/downloads/hand-over.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button, LiveRegion, VisuallyHidden } from '../../../site/ui/controls.tsx';
import { Notice, Progress } from '../../../site/ui/surfaces.tsx';
import type { Pace } from '../pace.ts';
import { gapMs } from '../run/pacing.ts';
import { isTemporary, type Run, type RunPost, type RunView } from '../run/run-types.ts';
import { inWords } from './spans.ts';
import { useRun } from './use-run.ts';

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
