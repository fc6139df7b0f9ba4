import { useCallback, useEffect, useRef, useState } from 'react';
import type { AskingPage } from '../../browser/resolve-link.ts';
import type { DownloadButton } from '../../configuration/configuration.ts';
import { useTranslate } from '../../texts.tsx';
import { LinkButton, LiveRegion } from '../../ui/controls.tsx';
import { HeadingText } from '../../ui/heading-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { ToolAnswer } from './answer.ts';
import type { OtherPage } from './choose-options.ts';
import type { FileHelp } from './file-help.ts';
import { LinkBox, linkFormId } from './link-box.tsx';
import { PasteHint, pasteHintId, usePasteHint } from './paste-hint.tsx';
import { Recent } from './recent.tsx';
import { remedyFor } from './remedy.ts';
import { Result } from './result.tsx';
import { RunningConversions } from './running-conversions.tsx';
import { Trouble, troubleIds } from './trouble.tsx';
import { useTool } from './use-tool.ts';
import { Waiting } from './waiting.tsx';

interface ToolProps {
  /** The page's own path. */
  action: string;
  /** Where the form goes without scripts. */
  formAction: string;
  title: string;
  description: string;
  exampleUrl: string;
  asking: AskingPage;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
  help: FileHelp;
  given: ToolAnswer | null;
  /** Whether the page's own words name the platform; the home page says it in general. */
  namesPlatform: boolean;
}

/** The downloader: a link goes in, files come out. */
export function Tool(props: ToolProps) {
  const t = useTranslate();
  const missing = props.namesPlatform ? null : t('link.missing');
  const { state, resolve, cancel, reset } = useTool(props.given, missing, props.asking);
  const field = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const asked = useRef<HTMLDivElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const [announcement, announce] = useState('');
  const [pasteHint, setPasteHint] = useState<readonly string[]>([]);
  const pasteHintFor = usePasteHint();

  const fill = useCallback((text: string) => {
    if (field.current === null) return;
    field.current.value = text;
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
    // What came with the page or from the history is neither announced nor focused: nobody waits for it here.
    if (state.given) {
      // What was typed before the scripts arrived stays.
      if (!first.current) fill(state.text);
    } else if (state.kind === 'ready') {
      const { post } = state.result;
      announce(t('status.ready', { title: post.title || post.author.name }));
      heading.current?.focus({ preventScroll: true });
    } else if (state.kind === 'failed') {
      announce([state.trouble.message, state.trouble.hint].filter(Boolean).join(' '));
    }
    first.current = false;
    if (!state.given && state.kind !== 'idle') showWithBox(asked.current, outcome.current);
  }, [state, t, fill]);

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

  const trouble = state.kind === 'failed' ? state.trouble : null;
  const otherLink = trouble?.otherLink ?? (state.kind === 'ready' ? (state.result.other_link ?? null) : null);
  const describedBy = trouble !== null ? troubleIds : pasteHint.length > 0 ? pasteHintId : undefined;
  return (
    <>
      <section className="hero" aria-labelledby="page-title">
        <div className="container hero-content">
          <h1 id="page-title">
            <HeadingText>{props.title}</HeadingText>
          </h1>
          <p className="hero-text">{props.description}</p>
          <div ref={asked} className="asked">
            <LinkBox
              action={props.formAction}
              initialText={props.given?.text ?? ''}
              busy={state.kind === 'resolving'}
              invalid={trouble !== null && remedyFor(trouble.key) !== 'retry'}
              describedBy={describedBy}
              field={field}
              onLink={begin}
              onClear={startOver}
              onClipboard={(which) => {
                const lines = pasteHintFor(which);
                setPasteHint(lines);
                announce(lines.join(' '));
              }}
            />
            {pasteHint.length > 0 && <PasteHint lines={pasteHint} />}
            {trouble !== null && (
              <Trouble
                key={trouble.retryAt}
                trouble={trouble}
                text={state.text}
                form={linkFormId}
                emptyHref={props.action}
                onAnother={startOver}
              />
            )}
            {otherLink !== null && (
              <OtherLink link={otherLink} action={props.action} onChoose={() => enter(otherLink)} />
            )}
          </div>
          {state.kind === 'idle' && pasteHint.length === 0 && (
            <div className="hero-below">
              <LinkButton
                strength="quiet"
                href={`${props.action}?url=${encodeURIComponent(props.exampleUrl)}`}
                rel="nofollow"
                className="hero-example"
                onClick={(event) => {
                  event.preventDefault();
                  enter(props.exampleUrl);
                }}
              >
                {t('link.example')}
              </LinkButton>
              <ul className="trust">
                {(['trust.free', 'trust.watermark', 'trust.stored'] as const).map((key) => (
                  <li key={key}>
                    <Icon name="check" />
                    {t(key)}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <svg
          className="hero-wave"
          viewBox="0 0 1440 60"
          preserveAspectRatio="none"
          aria-hidden="true"
          focusable="false"
        >
          <path d="M0 34C180 62 300 4 520 18s340 42 560 28 240-34 360-22v36H0Z" />
        </svg>
      </section>
      <section ref={outcome} className="container outcome" aria-busy={state.kind === 'resolving'}>
        <RunningConversions
          shownPost={state.kind === 'ready' ? state.result.post.id : null}
          onAnnounce={announce}
        />
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
        {state.kind === 'ready' && (
          <Result
            key={state.result.post.id}
            result={state.result}
            buttons={props.buttons}
            others={props.others}
            help={props.help}
            anotherHref={props.action}
            heading={heading}
            onAnother={startOver}
            onAnnounce={announce}
          />
        )}
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

/** Brings what came of a link into sight together with the box that it was put into. */
function showWithBox(asked: HTMLElement | null, outcome: HTMLElement | null): void {
  const card = outcome?.querySelector('.result');
  const isCut = card != null && card.getBoundingClientRect().bottom > document.documentElement.clientHeight;
  asked?.scrollIntoView({ block: isCut ? 'start' : 'nearest' });
}

/** The text had a second link in it, which is one press away. */
function OtherLink(props: { link: string; action: string; onChoose(): void }) {
  const t = useTranslate();
  return (
    <p className="other-link">
      <span>{t('link.other')}</span>{' '}
      <a
        href={`${props.action}?url=${encodeURIComponent(props.link)}`}
        rel="nofollow"
        onClick={(event) => {
          event.preventDefault();
          props.onChoose();
        }}
      >
        <bdi>{props.link.replace(/^https:\/\/(?:www\.)?/, '')}</bdi>
      </a>
    </p>
  );
}
