import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ResolveResult } from '../../../api.ts';
import type { DownloadButton } from '../../../configuration/configuration.ts';
import { useTranslate } from '../../../translation.tsx';
import { Notice } from '../../../ui/surfaces.tsx';
import {
  chooseOptions,
  type OtherPage,
  offersPictures,
  offersSound,
  pageFor,
} from '../files/choose-options.ts';

/** The part of a post that it lacks for a page, and the message key of the link to the page that has the rest. */
interface Lack {
  readonly text: 'lack.video' | 'lack.sound' | 'lack.sound-kind' | 'option.none';
  readonly link: 'instead.sound' | 'instead.video' | 'instead.pictures' | null;
}

/** Null when the page shows what its visitor came for. */
function lackOf({ post, options, no_sound }: ResolveResult, buttons: readonly DownloadButton[]): Lack | null {
  const { files, slides, slideshow } = chooseOptions(options, buttons);
  const isSoundAlone =
    post.kind === 'photos' && options.every(({ format }) => format === 'mp3' || format === 'm4a');
  const noSound =
    no_sound === 'unsupported' ? 'lack.sound-kind' : no_sound === 'missing' ? 'lack.sound' : null;
  if (isSoundAlone && offersPictures(buttons))
    return { text: 'lack.video', link: files.length > 0 ? null : 'instead.sound' };
  if (files.length === 0 && slides.length === 0)
    return {
      text: noSound ?? 'option.none',
      link: post.kind === 'photos' ? 'instead.pictures' : 'instead.video',
    };
  if (offersSound(buttons)) return noSound === null ? null : { text: noSound, link: null };
  const hasVideo = files.length > 0 || slideshow !== null || slides.some(({ motion }) => motion !== null);
  return hasVideo ? null : { text: 'lack.video', link: noSound === null ? 'instead.sound' : null };
}

/**
 * The page for the parts of a post that this one does not offer; null when no page does, or a notice links there
 * already.
 */
export function otherPageFor(
  result: ResolveResult,
  buttons: readonly DownloadButton[],
  others: readonly OtherPage[],
  wanted: 'sound' | 'picture',
): OtherPage | null {
  return lackOf(result, buttons) === null ? pageFor(result, others, wanted) : null;
}

/** A link to another page that keeps the post. */
export function OtherPageLink(props: {
  page: OtherPage;
  post: ResolveResult['post'];
  className: string;
  children: ReactNode;
}) {
  const to = `${props.page.href}?url=${encodeURIComponent(props.post.url)}`;
  return (
    <Link className={props.className} to={to}>
      {props.children}
    </Link>
  );
}

interface OtherPageNoticeProps {
  result: ResolveResult;
  buttons: readonly DownloadButton[];
  others: readonly OtherPage[];
}

/** Says that a post lacks what this page is for, and links to the page for what it has. */
export function OtherPageNotice({ result, buttons, others }: OtherPageNoticeProps) {
  const t = useTranslate();
  const lack = lackOf(result, buttons);
  if (lack === null) return null;
  const wanted = lack.link === 'instead.sound' ? 'sound' : 'picture';
  const page = lack.link === null ? null : pageFor(result, others, wanted);
  return (
    <Notice kind="plain">
      <p>{t(lack.text)}</p>
      {lack.link !== null && page !== null && (
        <OtherPageLink page={page} post={result.post} className="button button-action">
          {t(lack.link)}
        </OtherPageLink>
      )}
    </Notice>
  );
}
