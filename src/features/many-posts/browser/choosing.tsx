import { useEffect, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { ErrorNotice } from '../../../site/ui/surfaces.tsx';
import type { Pace } from '../pace.ts';
import { gapMs, inWords } from '../run/pacing.ts';
import { type RunFormat, troubleOf } from '../run/run.ts';
import { type Choice, type ChosenPost, type FromWorker, mostPosts } from '../worker/messages.ts';

/** The files that are saved of each post, and their place. */
export interface ChosenTarget {
  readonly format: RunFormat;
  readonly folder: FileSystemDirectoryHandle | null;
}

type Chosen = Extract<FromWorker, { type: 'chosen' }>;

/** Not in all browsers. */
interface FolderPicker {
  showDirectoryPicker?(options: object): Promise<FileSystemDirectoryHandle>;
}

interface ChoosingProps {
  read: Extract<FromWorker, { type: 'sections' }>;
  pace: Pace;
  choose(choice: Choice): Promise<FromWorker>;
  onStart(posts: readonly ChosenPost[], target: ChosenTarget): Promise<void>;
  onOther(): void;
}

const dayMs = 86_400_000;
const formats: Readonly<Record<RunFormat, string>> = { mp4: 'MP4', mp3: 'MP3', both: 'MP4 + MP3' };

/** The day of a moment as a field of dates has it; empty for the first or last of none. */
const dayOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : '');

/** Chooses lists, a span of time, formats and a place. */
export function Choosing({ read: { sections, others }, pace, choose, onStart, onOther }: ChoosingProps) {
  const t = useTranslate<'many-posts'>();
  const locale = useLocale();
  const largest = sections.findIndex(({ kind }) => kind !== 'watched');
  const [picked, setPicked] = useState<readonly number[]>([Math.max(0, largest)]);
  const dates = sections.flatMap(({ from, to }) => (from === null || to === null ? [] : [from, to]));
  const [first, last] = [dayOf(Math.min(...dates)), dayOf(Math.max(...dates))];
  const [span, setSpan] = useState({ from: first, to: last });
  const [format, setFormat] = useState<RunFormat>('mp4');
  const { showDirectoryPicker } = globalThis as FolderPicker;
  const [isFolder, setFolder] = useState(showDirectoryPicker !== undefined);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [trouble, setTrouble] = useState<'folder' | 'storage' | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asks anew when what is wanted has changed
  useEffect(() => {
    let isOld = false;
    const from = span.from === '' ? 0 : Date.parse(span.from);
    const to = span.to === '' ? Number.MAX_SAFE_INTEGER : Date.parse(span.to) + dayMs - 1;
    void choose({ sections: picked, from, to }).then((answer) => {
      if (!isOld && answer.type === 'chosen') setChosen(answer);
    });
    return () => {
      isOld = true;
    };
  }, [picked, span]);

  const start = async () => {
    try {
      const folder = isFolder
        ? ((await showDirectoryPicker?.({ id: 'many-posts', mode: 'readwrite' })) ?? null)
        : null;
      await onStart(chosen?.posts ?? [], { format, folder });
    } catch (thrown) {
      // The visitor has closed the picker; or this browser keeps nothing on the device.
      if (!(thrown instanceof DOMException)) throw thrown;
      if (thrown.name !== 'AbortError') setTrouble(troubleOf(thrown) === 'folder' ? 'folder' : 'storage');
    }
  };

  const day = new Intl.DateTimeFormat(languages[locale].intl, { dateStyle: 'medium', timeZone: 'UTC' });
  const count = chosen?.count ?? 0;
  const isTooMany = count > mostPosts;
  return (
    <div className="many-choosing">
      <fieldset>
        <legend>{t('choose.title')}</legend>
        {sections.map(({ kind, title, count: posts, from, to }, at) => (
          <label key={`${kind}/${title}`} className="many-choice">
            <input
              type="checkbox"
              checked={picked.includes(at)}
              onChange={({ currentTarget: { checked } }) =>
                setPicked(checked ? [...picked, at] : picked.filter((other) => other !== at))
              }
            />
            <span>
              <strong>
                <bdi>{kind === 'other' ? title : t(`list.${kind}`)}</bdi>
              </strong>
              <span className="many-soft">
                {t('choose.posts', { count: posts })}
                {from !== null && to !== null && <bdi>{day.formatRange(from, to)}</bdi>}
              </span>
            </span>
          </label>
        ))}
        {dates.length > 0 && (
          <div className="many-span">
            {(['from', 'to'] as const).map((end) => (
              <label key={end} className="many-field">
                {t(`choose.${end}`)}
                <input
                  type="date"
                  min={first}
                  max={last}
                  value={span[end]}
                  onChange={({ currentTarget: { value } }) => setSpan({ ...span, [end]: value })}
                />
              </label>
            ))}
          </div>
        )}
        <p className="many-soft" role="status">
          {chosen !== null && chosen.doubles > 0 && (
            <span>{t('choose.doubles', { count: chosen.doubles })}</span>
          )}
          {others > 0 && <span>{t('choose.others', { count: others })}</span>}
          {isTooMany && <strong>{t('choose.most', { most: mostPosts })}</strong>}
        </p>
      </fieldset>
      <fieldset className="many-options">
        <legend>{t('format.title')}</legend>
        {(Object.keys(formats) as RunFormat[]).map((one) => (
          <label key={one} className="many-option">
            <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
            <bdi>{formats[one]}</bdi>
          </label>
        ))}
        <p className="many-soft">{t('format.photos')}</p>
      </fieldset>
      {showDirectoryPicker !== undefined && (
        <fieldset className="many-options">
          <legend>{t('place.title')}</legend>
          {(['folder', 'zip'] as const).map((one) => (
            <label key={one} className="many-option">
              <input
                type="radio"
                name="place"
                checked={isFolder === (one === 'folder')}
                onChange={() => setFolder(one === 'folder')}
              />
              {t(`place.${one}`)}
            </label>
          ))}
          <p className="many-soft">{t('place.dates')}</p>
        </fieldset>
      )}
      {showDirectoryPicker === undefined && <p>{t('place.zip')}</p>}
      {count > 0 && !isTooMany && (
        <p>{t('start.time', { time: inWords((count * gapMs(pace.posts)) / 60_000, locale) })}</p>
      )}
      {trouble !== null && <ErrorNotice isAwaited>{t(`run.${trouble}`)}</ErrorNotice>}
      <p className="many-actions">
        <Button
          strength="action"
          icon="download"
          disabled={count === 0 || isTooMany}
          onClick={() => void start()}
        >
          {t('start', { count })}
        </Button>
        <Button strength="quiet" onClick={onOther}>
          {t('start.other')}
        </Button>
      </p>
    </div>
  );
}
