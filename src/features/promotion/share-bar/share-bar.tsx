import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { isPlainClick } from '../../../site/browser/plain-click.ts';
import {
  copyAddress,
  hasShareSheet,
  openShareSheet,
  type ShareOutcome,
} from '../../../site/browser/sharing.ts';
import { leaveFocus, useClearance, useEscape } from '../../../site/overlays/above-page.ts';
import type { Layout } from '../../../site/overlays/layout.ts';
import { IconButton } from '../../../site/ui/controls.tsx';
import { Icon, Outline } from '../../../site/ui/icon.tsx';
import { rememberClosed, wasClosed } from '../../../site/visitors/stored/closed.ts';
import type { PageShare } from './page-share.ts';
import { ShareLinks, shareItem } from './share-links.tsx';
import { useSharedPage } from './use-shared-page.ts';

/** The visitor has come to read: scrolling counts from here on. */
const startDelayMs = 5000;
const hideDelayMs = 200;

/**
 * Whether to show an element: after five seconds scrolling shows it, and 200 ms after the last scrolling it hides again.
 * @param isOn whether it comes and goes; otherwise it is always shown
 * @param isHeld whether it is in use, and does not hide
 */
function useScrollReveal(isOn: boolean, isHeld: boolean): boolean {
  /** When the page was scrolled; null once the element is hidden. */
  const [scrolledAt, setScrolledAt] = useState<number | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const ended = new AbortController();
    const options = { passive: true, signal: ended.signal };
    const starting = setTimeout(
      () => addEventListener('scroll', ({ timeStamp }) => setScrolledAt(timeStamp), options),
      startDelayMs,
    );
    return () => {
      clearTimeout(starting);
      ended.abort();
    };
  }, [isOn]);
  useEffect(() => {
    if (scrolledAt === null || isHeld) return;
    const hiding = setTimeout(setScrolledAt, hideDelayMs, null);
    return () => clearTimeout(hiding);
  }, [scrolledAt, isHeld]);
  return scrolledAt !== null || !isOn;
}

/** A sheet of paper that something leaves: as phones draw it. */
const sheetOutline = 'M12 15V3.500m-4 4 4-4 4 4M7 11H5v9.500h14V11h-2';

/** Its name among closed elements. */
const name = 'share-bar';

/** The number of networks that fit on a small phone beside the buttons; its share sheet has all of them. */
const mostOnPhones = 4;

/** Long enough to be read; it may be a sentence. Milliseconds. */
const answerMs = 5000;

/** Pixels; the size that the networks' own pages are made for. */
const popup = { width: 626, height: 436 };

/**
 * Opens a network in a centred window of its own: the page stays. The network learns neither this window nor the
 * referrer.
 */
function openPopup(link: string): void {
  const { width, height } = popup;
  const left = Math.round(screenX + (outerWidth - width) / 2);
  const top = Math.round(screenY + (outerHeight - height) / 2);
  open(link, '_blank', `popup,noopener,noreferrer,width=${width},height=${height},left=${left},top=${top}`);
}

interface ShareBarProps {
  readonly share: PageShare;
  readonly layout: Layout;
}

/** Passes the page on. Always there on desktops; on phones it comes while the page is scrolled. */
export function ShareBar({ share: { offers, words, marks }, layout }: ShareBarProps) {
  const page = useSharedPage();
  const [isClosed, setIsClosed] = useState(() => wasClosed(name));
  const slot = useRef<HTMLElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const isMobile = layout === 'mobile';
  // A new object each time: the same answer given again is shown as long as the first.
  const [said, say] = useState<{ readonly outcome: ShareOutcome }>({ outcome: 'done' });
  const answer = said.outcome === 'done' ? '' : words[said.outcome];
  useEffect(() => {
    if (said.outcome === 'done') return;
    const timer = setTimeout(say, answerMs, { outcome: 'done' });
    return () => clearTimeout(timer);
  }, [said]);
  const [isPointed, setIsPointed] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const isRevealed = useScrollReveal(isMobile, isPointed || hasFocus || answer !== '');
  const isClear = useClearance(slot, false) || !isMobile;
  const isShown = !isClosed && isClear && (isRevealed || hasFocus);

  // Every way of closing triggers the button's click, which statistics count.
  const press = () => closeButton.current?.click();
  useEscape(isMobile && isShown, press);

  function close(): void {
    leaveFocus(slot.current);
    rememberClosed(name);
    setIsClosed(true);
  }

  function follow(event: MouseEvent<HTMLAnchorElement>): void {
    if (isMobile || !isPlainClick(event)) return;
    event.preventDefault();
    openPopup(event.currentTarget.href);
  }

  if (page === null || isClosed) return null;
  const give = (attempt: Promise<ShareOutcome>) => void attempt.then((outcome) => say({ outcome }));
  const shown = isMobile ? offers.slice(0, mostOnPhones) : offers;
  return (
    <section
      ref={slot}
      className={isMobile ? 'share-bar share-bar-foot' : 'share-bar'}
      aria-label={words.name}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button in it does the same */}
      <div
        className="share-panel"
        inert={!isClear}
        data-keep-clear={isMobile ? undefined : ''}
        data-shown={isShown}
        onClick={({ target, currentTarget }) => target === currentTarget && press()}
        onPointerEnter={() => setIsPointed(true)}
        onPointerLeave={() => setIsPointed(false)}
        onFocus={({ target }) => setHasFocus(target.matches(':focus-visible'))}
        onBlur={() => setHasFocus(false)}
      >
        <ul data-vars-event="share_bar" data-vars-clicks="">
          {hasShareSheet() && (
            <li>
              <button
                type="button"
                {...shareItem(words.sheet, 'sheet')}
                onClick={() => give(openShareSheet(page))}
              >
                <Outline path={sheetOutline} />
              </button>
            </li>
          )}
          <ShareLinks offers={shown} marks={marks} page={page} onClick={follow} />
          <li>
            <button
              type="button"
              {...shareItem(words.copy, 'copy')}
              onClick={() => give(copyAddress(page.url))}
            >
              <Icon name={answer === words.copied ? 'check' : 'link'} />
            </button>
          </li>
          <li>
            <IconButton
              ref={closeButton}
              icon="close"
              label={words.close}
              className="share-close"
              data-vars-event="close_share_bar"
              onClick={close}
            />
          </li>
        </ul>
      </div>
      <p className="share-answer" role="status">
        {answer}
      </p>
    </section>
  );
}
