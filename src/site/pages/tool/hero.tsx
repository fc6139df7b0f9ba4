import type { RefObject } from 'react';
import { HeadingText } from '../../ui/heading-text.tsx';
import { FailureNotice, failureIds, PasteHint, pasteHintId } from './box-notices.tsx';
import { HeroBelow } from './introduction/hero-below.tsx';
import { LinkBox, type LinkField, linkFormId } from './link-box/link-box.tsx';
import { remedyFor } from './link-box/remedy.ts';
import type { ToolPageData } from './page-data.ts';
import { laterOutcome } from './result/later-outcome.tsx';
import { Dock, Scene, type Voyage } from './scene/scene.tsx';
import type { ToolState } from './state/tool-state.ts';
import type { Actions } from './state/use-actions.ts';

interface HeroProps {
  page: ToolPageData;
  state: ToolState;
  actions: Actions;
  field: LinkField;
  box: RefObject<HTMLDivElement | null>;
  /** The box's first text. */
  givenText: string;
  pasteHint: readonly string[];
  /** Whether something that can be dropped is dragged over the page. */
  dropping: boolean;
  /** Called with files that were chosen. */
  onFiles(files: readonly File[]): void;
}

/** The top of the page: its title, the link box with its error, and the ferry's scene. */
export function Hero({ page, state, actions, pasteHint, ...props }: HeroProps) {
  const failure = state.kind === 'failed' ? state.failure : null;
  const isAsked = state.kind === 'resolving' || state.kind === 'ready' || state.kind === 'list';
  const describedBy = failure !== null ? failureIds : pasteHint.length > 0 ? pasteHintId : undefined;
  const look = failure !== null ? 'hero-at-work hero-failed' : state.kind !== 'idle' && 'hero-at-work';
  return (
    <section className={`hero ${look || ''}`} aria-labelledby="page-title">
      <div className="container hero-content">
        <h1 id="page-title" data-keep-clear="text">
          <HeadingText>{page.title}</HeadingText>
        </h1>
        <p className="hero-text" data-keep-clear="text">
          {page.description}
        </p>
        <div ref={props.box} className="hero-form" data-keep-clear="">
          {!isAsked && <Dock formats={page.formats} />}
          <LinkBox
            action={page.path}
            initialText={props.givenText}
            asked={isAsked ? state.text : null}
            dropping={props.dropping}
            busy={state.kind === 'resolving'}
            invalid={failure !== null && remedyFor(failure.key) !== 'retry'}
            describedBy={describedBy}
            field={props.field.ref}
            onAttention={laterOutcome.preload}
            onLink={actions.begin}
            onClear={actions.startOver}
            onClipboard={actions.explainPaste}
          />
          {pasteHint.length > 0 && <PasteHint lines={pasteHint} />}
          {failure !== null && (
            <FailureNotice
              key={failure.retryAt}
              failure={failure}
              text={state.text}
              form={linkFormId}
              emptyHref={page.path}
              onAnother={actions.startOver}
            />
          )}
        </div>
        {state.kind === 'idle' && pasteHint.length === 0 && (
          <HeroBelow
            facts={page.facts}
            path={page.path}
            example={page.exampleUrl}
            onExample={actions.enter}
            onFiles={props.onFiles}
          />
        )}
      </div>
      {/* After a failure it is further down: another one, so that nothing moves. */}
      <Scene key={String(failure !== null)} {...voyageOf(state)} isSound={page.formats.isSound} />
    </section>
  );
}

/** The ferry's position and load. */
function voyageOf(state: ToolState): { voyage: Voyage; cover: string | null } {
  if (state.kind === 'resolving') return { voyage: 'sailing', cover: null };
  if (state.kind === 'list') return { voyage: 'landed', cover: null };
  if (state.kind !== 'ready') return { voyage: 'waiting', cover: null };
  return { voyage: 'landed', cover: state.result.post.cover_url };
}
