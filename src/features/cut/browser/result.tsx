import { type SubmitEvent, Suspense, useId, useState } from 'react';
import { presentOption } from '../../../site/browser/downloads/file-requests.ts';
import { startDownload } from '../../../site/browser/downloads/start-download.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { lazyPart } from '../../../site/browser/navigation/lazy-part.tsx';
import { DownloadState, useDownload } from '../../../site/pages/tool/files/download-state.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { ResultFold } from '../../../site/pages/tool/result/result-rows.tsx';
import { usePart, useTakesPart } from '../../../site/pages/tool/scrubber/part.ts';
import { readTime, writeTime } from '../../../site/time-text.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { ErrorNotice } from '../../../site/ui/surfaces.tsx';
import '../../../site/pages/tool/files/maker-form.css';
import './cut.css';
import { type CutButton, type CutChoice, cutChoice, cutOption } from './cut-options.ts';

/** Two times, as they stand in the fields. */
interface Times {
  readonly from: string;
  readonly to: string;
}

/** Times as the visitor has typed them, and the part that was chosen then. */
interface Typed {
  readonly times: Times;
  readonly fromMs: number;
  readonly toMs: number;
}

const loadScrubber = async () => (await import('../../../site/pages/tool/scrubber/scrubber.tsx')).Scrubber;

/** Without it the fields still work. */
const scrubber = lazyPart('scrubber', loadScrubber, null, true);

function Cut({ result, onAnnounce }: ResultPartProps) {
  const t = useTranslate<'cut'>();
  const choice = cutChoice(result);
  if (choice.files.length === 0) return null;

  return (
    <ResultFold
      className="cut"
      icon="film"
      title={
        <>
          {t('cut.title')} <PartTimes post={result.post} />
        </>
      }
    >
      {(isWanted) => <CutForm {...{ choice, isWanted, onAnnounce }} post={result.post} />}
    </ResultFold>
  );
}

/** What was chosen, which may have been on the player. */
function PartTimes({ post }: Pick<CutFormProps, 'post'>) {
  const { isWhole, fromMs, toMs } = usePart(post.id, post.duration_s * 1000);
  return isWhole ? null : (
    <bdi className="cut-part" dir="ltr">
      {writeTime(fromMs)} – {writeTime(toMs)}
    </bdi>
  );
}

interface CutFormProps extends Pick<ResultPartProps, 'onAnnounce'> {
  choice: CutChoice;
  post: ResultPartProps['result']['post'];
  isWanted: boolean;
}

/** A plain form without scripts: its target is the pressed button's file, with the fields as its query. */
function CutForm({ choice, post, isWanted, onAnnounce }: CutFormProps) {
  const t = useTranslate<'cut' | 'tool'>();
  const locale = useLocale();
  const isMounted = useMounted();
  const [lengthMs, setLengthMs] = useState(post.duration_s * 1000);
  const part = usePart(post.id, lengthMs);
  useTakesPart(true);
  const { fromMs, toMs } = part;
  const [typed, setTyped] = useState<Typed | null>(null);
  const isTyped = typed !== null && typed.fromMs === fromMs && typed.toMs === toMs;
  const times = isTyped ? typed.times : { from: writeTime(fromMs), to: writeTime(toMs) };
  const [isWrong, setWrong] = useState(false);
  const [pressed, setPressed] = useState<ReturnType<typeof cutOption> | null>(null);
  const { download, another, ...run } = useDownload(pressed && { post, option: pressed }, onAnnounce);

  const change = (changed: Partial<Times>) => {
    const written = { ...times, ...changed };
    // The end that is shown is rounded.
    const to = written.to === writeTime(lengthMs) ? lengthMs : readTime(written.to);
    const from = readTime(written.from);
    const isPart = from !== null && to !== null && from < to && to <= lengthMs;
    setTyped({ times: written, ...(isPart ? { fromMs: from, toMs: to } : { fromMs, toMs }) });
    if (isPart) part.choose(from, to);
    setWrong(false);
  };
  const start = (option: ReturnType<typeof cutOption>) => {
    setPressed(option);
    void startDownload({ post, option }, locale);
  };
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { submitter } = event.nativeEvent as unknown as { submitter: HTMLButtonElement | null };
    const isRingtone = submitter?.name === 'ringtone';
    const chosen = choice.files.find(({ option }) => option.id === submitter?.dataset.id);
    const [from, to] = [readTime(times.from), readTime(times.to)];
    const isPart = from !== null && (isRingtone || (to !== null && from < to));
    setWrong(!isPart);
    if (!isPart || chosen === undefined) return;
    const query = `from=${from / 1000}&${isRingtone ? 'ringtone=1' : `to=${(to ?? 0) / 1000}`}`;
    // The page may have stood open for so long that the address is another one now.
    start(cutOption(presentOption({ post, option: chosen.option }), query));
  }

  return (
    <form className="maker" method="get" action={choice.files[0]?.option.href} onSubmit={submit}>
      <input type="hidden" name="locale" value={locale} />
      {isMounted && (
        <div className="maker-editor">
          <Suspense>
            {isWanted && (
              <scrubber.Part sound={choice.sound} lengthMs={lengthMs} part={part} onLength={setLengthMs} />
            )}
          </Suspense>
        </div>
      )}
      <Fields times={times} isWrong={isWrong} onChange={change} />
      <Buttons label={t('cut.save')} buttons={choice.files} />
      {choice.files.some(({ option }) => option.format === 'mp4') && (
        <p className="maker-note">{t('cut.key-frame')}</p>
      )}
      {choice.ringtones.length > 0 && (
        <>
          <Buttons label={t('cut.ringtone')} buttons={choice.ringtones} isRingtone />
          <p className="maker-note">{t('cut.ringtone-note')}</p>
        </>
      )}
      {download !== undefined && (
        <DownloadState {...{ download, another }} onCancel={run.cancel} onRetry={run.start} />
      )}
    </form>
  );
}

interface FieldsProps {
  times: Times;
  isWrong: boolean;
  onChange(next: Partial<Times>): void;
}

function Fields({ times, isWrong, onChange }: FieldsProps) {
  const t = useTranslate<'cut'>();
  const id = useId();
  const field = (name: keyof Times) => (
    <label className="maker-field">
      <span>{t(`cut.${name}`)}</span>
      <input
        name={name}
        dir="ltr"
        autoComplete="off"
        maxLength={20}
        value={times[name]}
        aria-describedby={id}
        aria-invalid={isWrong}
        onChange={({ target }) => onChange({ [name]: target.value })}
      />
    </label>
  );
  return (
    <>
      <div className="cut-fields" dir="ltr">
        {field('from')}
        {field('to')}
      </div>
      <div id={id} role="alert">
        {isWrong ? (
          <ErrorNotice>{t('cut.invalid')}</ErrorNotice>
        ) : (
          <p className="maker-note">{t('cut.times')}</p>
        )}
      </div>
    </>
  );
}

function Buttons(props: { label: string; buttons: readonly CutButton[]; isRingtone?: boolean }) {
  return (
    <fieldset className="maker-choices">
      <legend>{props.label}</legend>
      {props.buttons.map(({ option, label }) => (
        <button
          key={option.id}
          type="submit"
          className="button button-plain"
          formAction={option.href}
          data-id={option.id}
          {...(props.isRingtone === true && { name: 'ringtone', value: '1' })}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

export default { place: 'more', order: 50, catalogue: 'cut', Part: Cut } satisfies ResultPart;
