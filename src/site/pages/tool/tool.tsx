import { useCallback, useEffect, useRef, useState } from 'react';
import { forgetLinks, useRecentLinks } from '../../browser/recent-links.ts';
import type { DownloadButton } from '../../configuration.ts';
import { useTranslate } from '../../texts.tsx';
import { Button, LinkButton, LiveRegion } from '../../ui/controls.tsx';
import { HeadingText } from '../../ui/heading-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card, Notice, Skeleton } from '../../ui/surfaces.tsx';
import type { ToolAnswer } from './answer.ts';
import { LinkBox } from './link-box.tsx';
import { Result } from './result.tsx';
import { useCountdown } from './use-countdown.ts';
import { type ToolState, useTool } from './use-tool.ts';

interface ToolProps {
  /** The page's own path. */
  action: string;
  /** Where the form goes without scripts. */
  formAction: string;
  title: string;
  description: string;
  exampleUrl: string;
  buttons: readonly DownloadButton[];
  given: ToolAnswer | null;
}

/** The downloader: a link goes in, files come out. */
export function Tool(props: ToolProps) {
  const t = useTranslate();
  const { state, resolve, reset } = useTool(props.given);
  const field = useRef<HTMLInputElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const outcome = useRef<HTMLElement>(null);
  const [announcement, announce] = useState('');

  const begin = useCallback(
    (text: string) => {
      announce(t('status.resolving'));
      void resolve(text);
    },
    [resolve, t],
  );

  // What the server put into the page is not announced or focused: the visitor has just come to it.
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (state.kind === 'ready') {
      const { post } = state.result;
      announce(t('status.ready', { title: post.title || post.author.name }));
      heading.current?.focus({ preventScroll: true });
    }
    if (state.kind === 'failed') announce(state.message);
    if (state.kind !== 'idle') outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [state, t]);

  const startOver = () => {
    reset();
    if (field.current !== null) {
      field.current.value = '';
      field.current.dispatchEvent(new Event('input', { bubbles: true }));
      field.current.focus();
    }
    announce(t('status.cleared'));
  };

  const enter = (text: string) => {
    if (field.current !== null) {
      field.current.value = text;
      field.current.dispatchEvent(new Event('input', { bubbles: true }));
    }
    begin(text);
  };

  return (
    <>
      <section className="hero" aria-labelledby="page-title">
        <div className="container hero-content">
          <h1 id="page-title">
            <HeadingText>{props.title}</HeadingText>
          </h1>
          <p className="hero-text">{props.description}</p>
          <LinkBox
            action={props.formAction}
            initialText={props.given?.text ?? ''}
            busy={state.kind === 'resolving'}
            invalid={state.kind === 'failed'}
            field={field}
            onLink={begin}
            onClear={() => {
              reset();
              announce(t('status.cleared'));
            }}
            onClipboardRefused={() => announce(t('link.clipboard-refused'))}
          />
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
              {(['trust.free', 'trust.watermark', 'trust.deleted'] as const).map((key) => (
                <li key={key}>
                  <Icon name="check" />
                  {t(key)}
                </li>
              ))}
            </ul>
          </div>
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
        <Outcome
          state={state}
          buttons={props.buttons}
          action={props.action}
          heading={heading}
          onRetry={begin}
          onAnother={startOver}
          onAnnounce={announce}
        />
        <Recent onChoose={enter} onForget={() => announce(t('recent.cleared'))} />
      </section>
      <LiveRegion>{announcement}</LiveRegion>
    </>
  );
}

interface OutcomeProps {
  state: ToolState;
  buttons: readonly DownloadButton[];
  action: string;
  heading: React.Ref<HTMLHeadingElement>;
  onRetry(text: string): void;
  onAnother(): void;
  onAnnounce(text: string): void;
}

function Outcome({ state, buttons, action, heading, onRetry, onAnother, onAnnounce }: OutcomeProps) {
  if (state.kind === 'resolving') return <ResultSkeleton />;
  if (state.kind === 'failed') return <Trouble {...state} onRetry={onRetry} />;
  if (state.kind === 'idle') return null;
  return (
    <Result
      key={state.result.post.id}
      result={state.result}
      buttons={buttons}
      anotherHref={action}
      heading={heading}
      onAnother={onAnother}
      onAnnounce={onAnnounce}
    />
  );
}

function Trouble(props: {
  message: string;
  retryAt: number | null;
  text: string;
  onRetry(text: string): void;
}) {
  const t = useTranslate();
  const seconds = useCountdown(props.retryAt);
  return (
    <Card className="trouble">
      <Notice kind="trouble">
        <p id="tool-failure">{props.message}</p>
        {seconds > 0 ? (
          <p className="trouble-wait">{t('failure.retry-in', { seconds })}</p>
        ) : (
          props.text.trim() !== '' && (
            <Button strength="plain" onClick={() => props.onRetry(props.text)}>
              {t('failure.retry')}
            </Button>
          )
        )}
      </Notice>
    </Card>
  );
}

/** The result's shape before it is there. */
function ResultSkeleton() {
  const t = useTranslate();
  return (
    <Card className="result result-skeleton">
      <div className="result-post">
        <div className="result-cover">
          <Skeleton className="skeleton-cover" />
        </div>
        <div className="result-about">
          <p className="result-waiting">{t('status.resolving')}</p>
          <Skeleton className="skeleton-line" />
          <Skeleton className="skeleton-line skeleton-short" />
        </div>
      </div>
      <div className="result-options">
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
        <Skeleton className="skeleton-button" />
      </div>
    </Card>
  );
}

function Recent(props: { onChoose(url: string): void; onForget(): void }) {
  const t = useTranslate();
  const links = useRecentLinks();
  if (links.length === 0) return null;
  return (
    <section className="recent" aria-labelledby="recent-title">
      <div className="recent-head">
        <h2 id="recent-title">{t('recent.title')}</h2>
        <p>{t('recent.note')}</p>
        <Button
          strength="quiet"
          onClick={() => {
            forgetLinks();
            props.onForget();
          }}
        >
          {t('recent.clear')}
        </Button>
      </div>
      <ul>
        {links.map((link) => (
          <li key={link.url}>
            <Button strength="plain" icon="history" onClick={() => props.onChoose(link.url)}>
              <bdi>{link.title}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
