import type { RefObject } from 'react';
import { HeadingText } from '../../ui/heading-text.tsx';
import { HeroBelow } from './introduction/hero-below.tsx';
import type { Fact, Formats } from './introduction/introduction.ts';
import { FailureNotice, failureIds } from './link-box/failure-notice.tsx';
import { LinkBox, linkFormId } from './link-box/link-box.tsx';
import { PasteHint, pasteHintId } from './link-box/paste-hint.tsx';
import { remedyFor } from './link-box/remedy.ts';
import type { LinkField } from './link-box/use-link-field.ts';
import { laterOutcome } from './result/later-outcome.ts';
import { Scene, type Voyage } from './scene/scene.tsx';
import type { ToolState } from './state/tool-state.ts';
import type { Actions } from './state/use-actions.ts';

/** What the hero shows of the page's own data. */
export interface HeroTexts {
  title: string;
  description: string;
  /** The page's own path. */
  action: string;
  exampleUrl: string;
  facts: readonly Fact[];
  formats: Formats;
}

interface HeroProps extends HeroTexts {
  state: ToolState;
  actions: Actions;
  field: LinkField;
  box: RefObject<HTMLDivElement | null>;
  /** The box's first text. */
  givenText: string;
  pasteHint: readonly string[];
  /** Whether something is held above the page that can be dropped. */
  dropping: boolean;
}

/** The top of the page: its title, the link box with what is wrong with the link, and the harbour. */
export function Hero({ state, actions, pasteHint, ...props }: HeroProps) {
  const failure = state.kind === 'failed' ? state.failure : null;
  const isAsked = state.kind === 'resolving' || state.kind === 'ready' || state.kind === 'list';
  const describedBy = failure !== null ? failureIds : pasteHint.length > 0 ? pasteHintId : undefined;
  return (
    <section className={state.kind === 'idle' ? 'hero' : 'hero hero-at-work'} aria-labelledby="page-title">
      <div className="container hero-content">
        <h1 id="page-title" data-keep-clear="text">
          <HeadingText>{props.title}</HeadingText>
        </h1>
        <p className="hero-text" data-keep-clear="text">
          {props.description}
        </p>
        <div ref={props.box} className="hero-form" data-keep-clear="">
          <LinkBox
            action={props.action}
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
              emptyHref={props.action}
              onAnother={actions.startOver}
            />
          )}
        </div>
        {state.kind === 'idle' && pasteHint.length === 0 && (
          <HeroBelow
            facts={props.facts}
            exampleHref={`${props.action}?url=${encodeURIComponent(props.exampleUrl)}`}
            onExample={() => actions.enter(props.exampleUrl)}
          />
        )}
      </div>
      <Scene {...voyageOf(state)} formats={props.formats} />
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
