import { type SubmitEvent, useId, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import type { DownloadOption } from '../../../site/api.ts';
import { startDownload } from '../../../site/browser/downloads/start-download.ts';
import { DownloadState, useDownload } from '../../../site/pages/tool/files/download-state.tsx';
import { formatBytes } from '../../../site/pages/tool/files/sizes.ts';
import type { ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { usePart, useTakesPart } from '../../../site/pages/tool/scrubber/part.ts';
import { Scrubber } from '../../../site/pages/tool/scrubber/scrubber.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { amplyEncoded, planFit, plannedOption, scaled, type VideoPlan } from '../video/video-plan.ts';
import '../../../site/pages/tool/files/maker-form.css';
import './studio.css';

export interface StudioProps extends Pick<ResultPartProps, 'result' | 'onAnnounce'> {
  /** The video that is encoded; null where this browser encodes none. */
  encoded: DownloadOption | null;
  /** The one that captions are put into. */
  copied: DownloadOption;
}

/** Bounds of messengers and mail, in megabytes. */
const bounds = [10, 16, 25];
/** Encoding half an hour takes a laptop about as long. */
const mostS = 30 * 60;

interface Choice {
  /** Megabytes; null for as they are. */
  readonly megabytes: number | null;
  readonly isOwn: boolean;
  readonly captions: 'none' | 'burned' | 'track';
  readonly language: string;
}

/** A part of a video may have more bytes than its share of the time, and captions have some. */
const partMargin = 1.5;
const captionsMargin = 1.01;

/** Whether a video is within a bound as it is, as far as known. @param share that is a part of it; null for all of it */
const fits = ({ bytes }: DownloadOption, share: number | null, maxBytes: number): boolean =>
  bytes !== null && bytes * (share === null ? captionsMargin : share * partMargin) <= maxBytes;

/** The video of a choice; null where that is the video itself, `long` where none fits. */
function choosePlan(
  { megabytes, isOwn, captions, language }: Choice,
  { result: { post }, encoded, copied }: StudioProps,
  part: VideoPlan['part'],
  explain: VideoPlan['explain'],
): VideoPlan | 'long' | null {
  // The visitor is typing.
  if (isOwn && megabytes === null) return null;
  const durationS = part === null ? post.duration_s : (part.toMs - part.fromMs) / 1000;
  const track = post.captions?.find((one) => one.language === language);
  const said = track === undefined || captions === 'none' ? null : { track, isBurned: captions === 'burned' };
  const maxBytes = megabytes === null ? null : megabytes * 1e6;
  const common = { part, durationS, maxBytes, captions: said, explain };
  if (maxBytes === null && said?.isBurned !== true)
    return said === null ? null : { ...common, source: copied, encoding: null };
  if (encoded === null) return null;
  const isSmall =
    maxBytes !== null && fits(encoded, part === null ? null : durationS / post.duration_s, maxBytes);
  if (isSmall && said?.isBurned !== true) return { ...common, source: encoded, encoding: null };
  if (durationS > mostS) return 'long';
  const size = { width: encoded.width ?? 0, height: encoded.height ?? 0 };
  const encoding = maxBytes === null ? amplyEncoded(size) : planFit({ durationS, ...size }, maxBytes);
  return encoding === null ? 'long' : { ...common, source: encoded, encoding };
}

export function Studio(props: StudioProps) {
  const { result, encoded, copied, onAnnounce } = props;
  const { post } = result;
  const t = useTranslate<'device-media' | 'tool'>();
  const locale = useLocale();
  const tracks = post.captions ?? [];
  const [choice, setChoice] = useState<Choice>({
    megabytes: encoded === null ? null : (bounds[1] ?? null),
    isOwn: false,
    captions: encoded === null ? 'track' : 'none',
    language: tracks[0]?.language ?? '',
  });
  const change = (changed: Partial<Choice>) => setChoice({ ...choice, ...changed });
  const [lengthMs, setLengthMs] = useState(post.duration_s * 1000);
  const canCut = (encoded ?? copied).whole_only !== true;
  const part = usePart(post.id, lengthMs);
  useTakesPart(canCut);
  const { fromMs, toMs } = part;
  const isPart = canCut && !part.isWhole;
  const plan = choosePlan(choice, props, isPart ? { fromMs, toMs } : null, (reason) =>
    t(`device.${reason ?? 'failed'}`),
  );
  const [pressed, setPressed] = useState<DownloadOption | null>(null);
  const { download, another, ...run } = useDownload(pressed && { post, option: pressed }, onAnnounce);
  const start = (option: DownloadOption) => {
    setPressed(option);
    void startDownload({ post, option }, locale);
  };
  return (
    <form
      className="maker studio"
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        if (plan !== null && plan !== 'long') start(plannedOption(plan));
      }}
    >
      {canCut && (
        <div className="maker-editor">
          <Scrubber
            sound={result.options.find(({ id, href }) => id === 'm4a' && href.startsWith('/')) ?? null}
            {...{ lengthMs, part }}
            onLength={setLengthMs}
          />
        </div>
      )}
      {encoded !== null && <SizeChoice choice={choice} onChange={change} />}
      {tracks.length > 0 && (
        <CaptionChoice choice={choice} languages={tracks} canBurn={encoded !== null} onChange={change} />
      )}
      <p className="maker-note" role="status">
        <Outlook plan={plan} {...{ encoded, isPart }} />
      </p>
      <button type="submit" className="button button-plain" disabled={plan === null || plan === 'long'}>
        {t('device.make')}
      </button>
      <p className="maker-note">{t('device.note')}</p>
      {download !== undefined && (
        <DownloadState {...{ download, another }} onCancel={run.cancel} onRetry={run.start} />
      )}
    </form>
  );
}

/** Says what the video loses, and where a copied part begins, before it is made. */
function Outlook(props: {
  plan: ReturnType<typeof choosePlan>;
  encoded: DownloadOption | null;
  isPart: boolean;
}) {
  const t = useTranslate<'cut' | 'device-media'>();
  const locale = useLocale();
  const { plan, encoded, isPart } = props;
  if (plan === null) return null;
  if (plan === 'long') return t('device.too-long');
  const { encoding, maxBytes } = plan;
  if (encoding === null || encoded === null) {
    if (isPart) return t('cut.key-frame');
    const bytes = encoded?.bytes ?? null;
    return maxBytes !== null && bytes !== null
      ? t('device.fits', { size: formatBytes(bytes, locale) })
      : t('device.keeps');
  }
  const [from, to] = [encoded, encoding].map(({ width, height }) => Math.min(width ?? 0, height ?? 0));
  const size = { width: encoded.width ?? 0, height: encoded.height ?? 0 };
  return encoding.width < scaled(size, Math.min(size.width, size.height)).width
    ? t('device.becomes', { from: from ?? 0, to: to ?? 0 })
    : t('device.keeps');
}

interface ChoiceProps {
  choice: Choice;
  onChange(changed: Partial<Choice>): void;
}

function SizeChoice({ choice: { megabytes, isOwn }, onChange }: ChoiceProps) {
  const t = useTranslate<'device-media'>();
  const { intl } = languages[useLocale()];
  const name = useId();
  const written = new Intl.NumberFormat(intl, { style: 'unit', unit: 'megabyte' });
  const radio = (label: string, isChosen: boolean, changed: Partial<Choice>) => (
    <label key={label} className="studio-size">
      <input type="radio" name={name} checked={isChosen} onChange={() => onChange(changed)} />
      <span>{label}</span>
    </label>
  );
  return (
    <fieldset className="maker-choices">
      <legend>{t('device.size')}</legend>
      <div className="studio-sizes">
        {bounds.map((bound) =>
          radio(written.format(bound), !isOwn && megabytes === bound, { megabytes: bound, isOwn: false }),
        )}
        {radio(t('device.size-other'), isOwn, { isOwn: true, megabytes: megabytes ?? 8 })}
        {radio(t('device.size-same'), megabytes === null && !isOwn, { megabytes: null, isOwn: false })}
        {isOwn && (
          <label className="maker-field">
            <span>{t('device.megabytes')}</span>
            <input
              type="number"
              dir="ltr"
              min={1}
              max={500}
              step="any"
              required
              value={megabytes ?? ''}
              onChange={({ target: { valueAsNumber: typed } }) =>
                onChange({ megabytes: typed >= 1 && typed <= 500 ? typed : null })
              }
            />
          </label>
        )}
      </div>
    </fieldset>
  );
}

interface CaptionChoiceProps extends ChoiceProps {
  languages: readonly { readonly language: string }[];
  canBurn: boolean;
}

function CaptionChoice({ choice, languages: tracks, canBurn, onChange }: CaptionChoiceProps) {
  const t = useTranslate<'device-media'>();
  const names = new Intl.DisplayNames(languages[useLocale()].intl, { type: 'language' });
  const kinds: readonly Choice['captions'][] = canBurn ? ['none', 'burned', 'track'] : ['none', 'track'];
  return (
    <div className="studio-captions">
      <label className="maker-field">
        <span>{t('device.captions')}</span>
        <select
          value={choice.captions}
          onChange={({ target }) => onChange({ captions: target.value as Choice['captions'] })}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {t(`device.captions-${kind}`)}
            </option>
          ))}
        </select>
      </label>
      {choice.captions !== 'none' && (
        <label className="maker-field">
          <span>{t('device.language')}</span>
          <select value={choice.language} onChange={({ target }) => onChange({ language: target.value })}>
            {tracks.map(({ language }) => (
              <option key={language} value={language}>
                {names.of(language) ?? language}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
