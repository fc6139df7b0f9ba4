import { useCallback, useEffect, useRef, useState } from 'react';
import { fileName } from '../../../downloader/media/file-names.ts';
import { exportTypes } from '../../../site/browser/device/export-types.ts';
import { startWorker } from '../../../site/browser/start-worker.ts';
import { useTranslate } from '../../../site/translation.tsx';
import { Button } from '../../../site/ui/controls.tsx';
import { ErrorNotice, Notice } from '../../../site/ui/surfaces.tsx';
import type { Pace } from '../pace.ts';
import { policyName, sentMark, workerPath } from '../paths.ts';
import { isComplete, type Run, type RunPost, waitingPost } from '../run/run.ts';
import { runStore, takeFromInbox } from '../run/run-store.ts';
import type { Choice, ChosenPost, FromWorker, ReadFailure, ToWorker } from '../worker/messages.ts';
import { Choosing, type ChosenTarget } from './choosing.tsx';
import { fileTemplate, Naming } from './naming.tsx';
import { Running } from './running.tsx';

type Sections = Extract<FromWorker, { type: 'sections' | 'failed' }>;
type Chosen = Extract<FromWorker, { type: 'chosen' | 'failed' }>;

/** Reads an export in a worker, which keeps its posts. */
class ExportReader {
  readonly #worker = startWorker({ path: workerPath, policyName });
  /** It answers in the order in which it was asked. */
  readonly #waiting: ((answer: FromWorker) => void)[] = [];

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) =>
      this.#waiting.shift()?.(data),
    );
    // It had no memory left, or could not be loaded.
    this.#worker.addEventListener('error', (event) => {
      event.preventDefault();
      for (const answer of this.#waiting.splice(0)) answer({ type: 'failed', reason: 'broken' });
    });
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#worker.postMessage(message);
    });
  }

  read(given: readonly (Blob | string)[]): Promise<Sections> {
    return this.#ask({ type: 'read', given }) as Promise<Sections>;
  }

  choose(choice: Choice): Promise<Chosen> {
    return this.#ask({ type: 'choose', ...choice }) as Promise<Chosen>;
  }

  close(): void {
    this.#worker.terminate();
  }
}

/** Why there are no posts; `sent` where the server got the file. */
type Trouble = ReadFailure | 'sent';

type Stage =
  | { readonly kind: 'empty'; readonly failure: Trouble | null }
  | { readonly kind: 'reading' }
  | { readonly kind: 'choosing'; readonly read: Extract<FromWorker, { type: 'sections' }> }
  | {
      readonly kind: 'running';
      readonly run: Run;
      readonly posts: readonly RunPost[];
      readonly isNew: boolean;
    };

interface SaverProps {
  pace: Pace;
  siteName: string;
}

/** From an export to its saved posts. */
export function Saver({ pace, siteName }: SaverProps) {
  const t = useTranslate<'many-posts'>();
  const [stage, setStage] = useState<Stage | null>(null);
  const reader = useRef<ExportReader>(null);
  useEffect(() => () => reader.current?.close(), []);

  const read = useCallback(async (given: readonly (Blob | string)[]) => {
    setStage({ kind: 'reading' });
    reader.current?.close();
    reader.current = new ExportReader();
    const answer = await reader.current.read(given);
    if (answer.type === 'sections') setStage({ kind: 'choosing', read: answer });
    else setStage({ kind: 'empty', failure: answer.reason });
  }, []);

  /** Shows what another page has handed over, unless this device has a run with something left to save. */
  const open = useCallback(async () => {
    try {
      const stored = await runStore.load();
      const given = stored === null || isComplete(stored.run, stored.posts) ? await takeFromInbox() : [];
      if (given.length > 0) return await read(given);
      if (stored !== null) return setStage({ kind: 'running', isNew: false, ...stored });
    } catch (thrown) {
      // A browser that keeps nothing has nothing to show.
      if (!(thrown instanceof DOMException)) throw thrown;
    }
    const wasSent = location.hash === sentMark;
    // It is said once, not after a run as well.
    if (wasSent) history.replaceState(history.state, '', location.pathname + location.search);
    setStage({ kind: 'empty', failure: wasSent ? 'sent' : null });
  }, [read]);
  useEffect(() => void open(), [open]);

  async function start(chosen: readonly ChosenPost[], { format, folder }: ChosenTarget): Promise<void> {
    const begunAt = Date.now();
    const id = new Date(begunAt).toISOString().slice(0, 16).replace(/[T:]/g, '-');
    const name = fileName({ author: siteName, id, extension: 'zip' }).replace(/\.zip$/, '');
    const run: Run = { ...{ begunAt, format, folder, name, zips: 0 }, template: fileTemplate() };
    const posts = chosen.map(waitingPost);
    await runStore.begin(run, posts);
    reader.current?.close();
    setStage({ kind: 'running', run, posts, isNew: true });
  }

  const remove = async () => {
    await runStore.remove();
    await open();
  };

  switch (stage?.kind) {
    case 'empty':
      return (
        <>
          <Giving failure={stage.failure} onGiven={read} />
          <Naming />
        </>
      );
    case 'reading':
      return (
        <div role="status">
          <Notice kind="plain">{t('reading')}</Notice>
        </div>
      );
    case 'choosing':
      return (
        <>
          <Choosing
            read={stage.read}
            pace={pace}
            choose={(choice) => reader.current?.choose(choice) ?? Promise.reject(new Error('closed'))}
            onStart={start}
            onOther={() => setStage({ kind: 'empty', failure: null })}
          />
          <Naming />
        </>
      );
    case 'running':
      return (
        <Running run={stage.run} posts={stage.posts} isNew={stage.isNew} pace={pace} onRemove={remove} />
      );
    default:
      return null;
  }
}

interface GivingProps {
  failure: Trouble | null;
  onGiven(given: readonly (Blob | string)[]): void;
}

/** Takes files and pasted links. */
function Giving({ failure, onGiven }: GivingProps) {
  const t = useTranslate<'many-posts'>();
  const [text, setText] = useState('');
  return (
    <div className="many-giving">
      {failure !== null && <ErrorNotice isAwaited>{t(`failed.${failure}`)}</ErrorNotice>}
      <label className="many-drop">
        <strong>{t('give.drop')}</strong>
        <span className="button button-action">{t('give.file')}</span>
        <input
          type="file"
          multiple
          accept={exportTypes}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            if (files.length > 0) onGiven(files);
          }}
        />
      </label>
      <form
        className="many-field"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') onGiven([text]);
        }}
      >
        <label htmlFor="many-links">{t('give.links')}</label>
        <textarea
          id="many-links"
          dir="ltr"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" strength="plain" disabled={text.trim() === ''}>
          {t('give.read')}
        </Button>
      </form>
    </div>
  );
}
