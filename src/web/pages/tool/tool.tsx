import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestingPage } from '../../browser/downloads/resolve-link.ts';
import { showToolKind } from '../../browser/downloads/tool-state.ts';
import { useMounted } from '../../browser/mounted.ts';
import type { DownloadButton } from '../../configuration/configuration.ts';
import { useDocument } from '../../document/document-context.tsx';
import { LayoutParts } from '../../layout/layout-parts.tsx';
import { useTranslate } from '../../translation.tsx';
import { LiveRegion } from '../../ui/controls.tsx';
import { HeadingText } from '../../ui/heading-text.tsx';
import type { ToolResponse } from './answers/answer.ts';
import { laterList } from './answers/several-links.tsx';
import { usePageLinks } from './answers/use-page-links.ts';
import { type ToolState, useTool } from './answers/use-tool.ts';
import type { OtherPage } from './files/choose-options.ts';
import type { FileHelp } from './files/file-help.ts';
import { HeroBelow } from './introduction/hero-below.tsx';
import type { Fact, Formats } from './introduction/introduction.ts';
import { FailureNotice, failureIds } from './link-box/failure-notice.tsx';
import { LinkBox, linkFormId } from './link-box/link-box.tsx';
import { PasteHint, pasteHintId, usePasteHint } from './link-box/paste-hint.tsx';
import { Recent } from './link-box/recent.tsx';
import { remedyFor } from './link-box/remedy.ts';
import { Waiting } from './link-box/waiting.tsx';
import { laterOutcome } from './result/later-outcome.ts';
import outcomeStyles from './result/outcome.css?url';
import { Scene, type Voyage } from './scene/scene.tsx';

interface ToolProps {
  /** The page's own path. */
  action: string;
  /** The form's target without scripts. */
  title: string;
  description: string;
  exampleUrl: string;
  facts: readonly Fact[];
  formats: Formats;
  asking: RequestingPage;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
  help: FileHelp;
  given: ToolResponse | null;
  /** Whether the page's own words name the platform; the home page says it in general. */
  namesPlatform: boolean;
}

/** The downloader: a link goes in, files come out. */
export function Tool(props: ToolProps) {
  const t = useTranslate();
  const isMounted = useMounted();
  const missing = props.namesPlatform ? null : t('link.missing');
  const { state, resolve, cancel, reset } = useTool(props.given, missing, props.asking);
  const field = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const formArea = useRef<HTMLDivElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const [announcement, announce] = useState('');
  const page = useDocument();
  const [pasteHint, setPasteHint] = useState<readonly string[]>([]);
  const pasteHintFor = usePasteHint();

  const fill = useCallback((text: string) => {
    if (field.current === null) return;
    // It is one line.
    field.current.value = text.replace(/\s+/g, ' ');
    field.current.dispatchEvent(new Event('input', { bubbles: true }));
  }, []);

  const begin = useCallback(
    (text: string) => {
      setPasteHint([]);
      announce(t('status.resolving'));
      void resolve(text);
    },
    [resolve, t],
  );

  const first = useRef(true);
  useEffect(() => {
    // A result that came with the page or from the history is neither announced nor focused: nobody waits for it here.
    if (state.given) {
      // Keeps text typed before hydration.
      if (!first.current) fill(state.text);
    } else if (state.kind === 'ready') {
      const { post } = state.result;
      announce(t('status.ready', { title: post.title || post.author.name }));
      heading.current?.focus({ preventScroll: true });
    } else if (state.kind === 'failed') {
      announce([state.failure.hint, state.failure.message].filter(Boolean).join(' '));
    }
    first.current = false;
    if (!state.given && state.kind !== 'idle') showWithBox(formArea.current, outcome.current);
  }, [state, t, fill]);

  useEffect(() => {
    showToolKind(state.kind);
    return () => showToolKind('idle');
  }, [state.kind]);

  const startOver = () => {
    reset();
    setPasteHint([]);
    fill('');
    field.current?.focus();
    announce(t('status.cleared'));
  };

  const enter = (text: string) => {
    fill(text);
    begin(text);
  };

  const dropping = usePageLinks({
    onLink: enter,
    onText(text) {
      fill(text);
      field.current?.focus();
    },
  });

  const failure = state.kind === 'failed' ? state.failure : null;
  const isAsked = state.kind === 'resolving' || state.kind === 'ready' || state.kind === 'list';
  const describedBy = failure !== null ? failureIds : pasteHint.length > 0 ? pasteHintId : undefined;
  return (
    <>
      {(isMounted || state.kind !== 'idle') && (
        <link rel="stylesheet" href={outcomeStyles} precedence="default" />
      )}
      <section className={state.kind === 'idle' ? 'hero' : 'hero hero-at-work'} aria-labelledby="page-title">
        <div className="container hero-content">
          <h1 id="page-title" data-keep-clear="text">
            <HeadingText>{props.title}</HeadingText>
          </h1>
          <p className="hero-text" data-keep-clear="text">
            {props.description}
          </p>
          <div ref={formArea} className="hero-form" data-keep-clear="">
            <LinkBox
              action={props.action}
              initialText={props.given?.text ?? ''}
              asked={isAsked ? state.text : null}
              dropping={dropping}
              busy={state.kind === 'resolving'}
              invalid={failure !== null && remedyFor(failure.key) !== 'retry'}
              describedBy={describedBy}
              field={field}
              onAttention={laterOutcome.preload}
              onLink={begin}
              onClear={startOver}
              onClipboard={(which) => {
                const lines = pasteHintFor(which);
                setPasteHint(lines);
                announce(lines.join(' '));
              }}
            />
            {pasteHint.length > 0 && <PasteHint lines={pasteHint} />}
            {failure !== null && (
              <FailureNotice
                key={failure.retryAt}
                failure={failure}
                text={state.text}
                form={linkFormId}
                emptyHref={props.action}
                onAnother={startOver}
              />
            )}
          </div>
          {state.kind === 'idle' && pasteHint.length === 0 && (
            <HeroBelow
              facts={props.facts}
              exampleHref={`${props.action}?url=${encodeURIComponent(props.exampleUrl)}`}
              onExample={() => enter(props.exampleUrl)}
            />
          )}
        </div>
        <Scene {...voyageOf(state)} formats={props.formats} />
      </section>
      <section
        ref={outcome}
        className="container outcome"
        aria-busy={state.kind === 'resolving'}
        data-keep-clear=""
      >
        {(state.kind === 'ready' || (isMounted && laterOutcome.isLoaded())) && (
          <laterOutcome.Part
            result={state.kind === 'ready' ? state.result : null}
            buttons={props.buttons}
            others={props.others}
            help={props.help}
            anotherHref={props.action}
            heading={heading}
            onAnother={startOver}
            onAnnounce={announce}
          />
        )}
        {state.kind === 'list' && (
          <laterList.Part
            key={state.text}
            text={state.text}
            links={state.links}
            action={props.action}
            asking={props.asking}
            buttons={props.buttons}
            onAnother={startOver}
            onAnnounce={announce}
          />
        )}
        {state.kind === 'resolving' && (
          <Waiting
            key={state.text}
            onAnnounce={announce}
            onCancel={() => {
              cancel();
              announce(t('status.cancelled'));
              field.current?.focus();
            }}
          />
        )}
        {/* Filled by `features/push/`; React renders nothing in it. */}
        {state.kind === 'ready' && <LayoutParts place="below-result" page={page} />}
        <Recent
          shown={state.kind === 'ready' ? state.result.post.url : null}
          onChoose={enter}
          onAnnounce={announce}
          onEmpty={() => field.current?.focus({ preventScroll: true })}
        />
      </section>
      <LiveRegion>{announcement}</LiveRegion>
    </>
  );
}

/** The ferry's position and load. */
function voyageOf(state: ToolState): { voyage: Voyage; cover: string | null } {
  if (state.kind === 'resolving') return { voyage: 'sailing', cover: null };
  if (state.kind === 'list') return { voyage: 'landed', cover: null };
  if (state.kind !== 'ready') return { voyage: 'waiting', cover: null };
  return { voyage: 'landed', cover: state.result.post.cover_url };
}

/** Brings what came of a link into sight together with the box that it was put into. */
function showWithBox(formArea: HTMLElement | null, outcome: HTMLElement | null): void {
  const card = outcome?.querySelector('.result');
  const isCut = card != null && card.getBoundingClientRect().bottom > document.documentElement.clientHeight;
  formArea?.scrollIntoView({ block: isCut ? 'start' : 'nearest' });
}
