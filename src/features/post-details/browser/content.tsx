import { createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import type { Captions, DownloadOption, VideoVersion } from '../../../site/api.ts';
import { inLanguage } from '../../../site/browser/downloads/file-requests.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { copyAddress } from '../../../site/browser/sharing.ts';
import { formatBytes } from '../../../site/pages/tool/files/sizes.ts';
import type { ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button, LinkButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import styles from './styles.css?url';

/** Says a text to screen readers. */
const Announce = createContext<(text: string) => void>(() => {});

interface FileLinkProps {
  href: string;
  className?: string;
  label?: string;
  children: ReactNode;
}

/** A link to a file of the post. A press is answered by a sign on it, and announced: the browser saves it by itself. */
function FileLink({ href, className, label, children }: FileLinkProps) {
  const t = useTranslate();
  const locale = useLocale();
  const announce = useContext(Announce);
  const [isPressed, setPressed] = useState(false);
  return (
    <a
      href={inLanguage(href, locale)}
      className={className}
      aria-label={label}
      onClick={() => {
        setPressed(true);
        announce(t('option.started'));
      }}
    >
      {children}
      {isPressed && <Icon name="check" className="details-pressed" />}
    </a>
  );
}

/** The hashtags of a text as they stand in it, each once. */
function hashtagsOf(text: string): string[] {
  return [...new Set(text.match(/#[\p{L}\p{M}\p{N}_]+/gu))];
}

/** Further files and facts of a post. */
export function Content({
  result: { post, options },
  onAnnounce,
}: Pick<ResultPartProps, 'result' | 'onAnnounce'>) {
  const t = useTranslate<'post-details' | 'tool'>();
  const outside = { target: '_blank', rel: 'noopener noreferrer nofollow', strength: 'quiet' } as const;
  const authorPage = /^(https:\/\/[^/?#]+\/@[^/?#]+)\//.exec(post.url)?.[1];
  return (
    <Announce value={onAnnounce}>
      {/* In a browser it came with the code of the result. */}
      {import.meta.env.SSR && <link rel="stylesheet" href={styles} precedence="default" />}
      {post.title !== '' && <PostText text={post.title} />}
      {post.sound != null && <p className="details-sound">{t('result.sound', post.sound)}</p>}
      <div className="details-links">
        {post.cover_href !== undefined && (
          <FileLink className="button button-quiet" href={post.cover_href}>
            <Icon name="download" />
            <span>{t('details.cover')}</span>
          </FileLink>
        )}
        <LinkButton {...outside} icon="link" href={post.url}>
          {t('failure.elsewhere')}
        </LinkButton>
        {authorPage !== undefined && (
          <LinkButton {...outside} icon="link" href={authorPage}>
            {t('details.author', { name: post.author.name })}
          </LinkButton>
        )}
      </div>
      {post.captions !== undefined && <Subtitles tracks={post.captions} />}
      {post.versions !== undefined && <Versions versions={post.versions} options={options} />}
    </Announce>
  );
}

/** The author's text whole, to be copied or selected. */
function PostText({ text }: { text: string }) {
  const t = useTranslate<'post-details'>();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const isMounted = useMounted();
  const [copied, setCopied] = useState<string | null>(null);
  const hashtags = hashtagsOf(text).join(' ');
  const copy = async (wanted: string) => {
    const outcome = await copyAddress(wanted);
    setCopied(outcome === 'copied' ? wanted : null);
    // Selected, it can still be copied by hand.
    if (outcome !== 'copied' && paragraph.current !== null)
      getSelection()?.selectAllChildren(paragraph.current);
  };
  return (
    <section>
      <h4>{t('details.text')}</h4>
      <p ref={paragraph} className="details-text author-text" dir="auto">
        {text}
      </p>
      {isMounted && (
        <div className="details-links">
          <Button strength="quiet" icon="clipboard" onClick={() => void copy(text)}>
            {t(copied === text ? 'details.copied' : 'details.copy')}
          </Button>
          {hashtags !== '' && (
            <Button strength="quiet" icon="clipboard" onClick={() => void copy(hashtags)}>
              {t(copied === hashtags ? 'details.copied' : 'details.copy-tags')}
            </Button>
          )}
          <span className="visually-hidden" role="status">
            {copied !== null && t('details.copied')}
          </span>
        </div>
      )}
    </section>
  );
}

const formats = ['srt', 'vtt', 'txt'] as const;

/** Each language with its files. */
function Subtitles({ tracks }: { tracks: readonly Captions[] }) {
  const t = useTranslate<'post-details'>();
  const locale = useLocale();
  const names = new Intl.DisplayNames(languages[locale].intl, { type: 'language' });
  return (
    <section>
      <h4>{t('details.subtitles')}</h4>
      <ul className="details-subtitles">
        {tracks.map(({ language, origin, href }) => (
          <li key={language}>
            {/* Browsers know more or fewer names than the server. */}
            <span suppressHydrationWarning>{names.of(language) ?? language}</span>
            {origin !== null && <small>{t(`details.by-${origin}`)}</small>}
            <span className="details-formats">
              {formats.map((format) => (
                <FileLink
                  key={format}
                  href={`${href}?as=${format}`}
                  label={`${names.of(language) ?? language}, ${format.toUpperCase()}`}
                >
                  {format.toUpperCase()}
                </FileLink>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Every encoding of a video with what it is, and where it plays. */
function Versions(props: { versions: readonly VideoVersion[]; options: readonly DownloadOption[] }) {
  const { versions, options } = props;
  const t = useTranslate<'post-details'>();
  const locale = useLocale();
  // The server's cuts leave out the sound, of a file that can be cut.
  const video = options.find(
    ({ id, href, whole_only }) => id === 'mp4' && href.startsWith('/') && whole_only !== true,
  );
  return (
    <section>
      <h4 id="details-versions">{t('details.versions')}</h4>
      <table className="details-versions" aria-labelledby="details-versions">
        <thead>
          <tr>
            <th scope="col">{t('details.version')}</th>
            <th scope="col">{t('details.plays')}</th>
            <th scope="col">{t('details.bytes')}</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ codec, width, height, fps, bytes, href }) => (
            <tr key={href}>
              <th scope="row">
                <FileLink href={href}>
                  <bdi>
                    {width} × {height}
                  </bdi>
                </FileLink>
                {fps !== null && <small>{t('details.fps', { fps })}</small>}
              </th>
              <td>
                {t(codec === 'h264' ? 'details.everywhere' : 'details.newer')}
                <small>
                  <bdi>{codec === 'h264' ? 'H.264' : 'H.265'}</bdi>
                </small>
              </td>
              <td>{bytes !== null && <bdi>{formatBytes(bytes, locale)}</bdi>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {video !== undefined && <FileLink href={`${video.href}?silent=1`}>{t('details.silent')}</FileLink>}
    </section>
  );
}
