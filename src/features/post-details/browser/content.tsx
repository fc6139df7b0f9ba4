import { useRef, useState } from 'react';
import { languages } from '../../../i18n/languages.ts';
import type { Captions } from '../../../site/api.ts';
import { useMounted } from '../../../site/browser/mounted.ts';
import { copyAddress } from '../../../site/browser/sharing.ts';
import type { ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { Button, LinkButton } from '../../../site/ui/controls.tsx';
import { Icon } from '../../../site/ui/icon.tsx';
import { Announce, FileLink } from './file-link.tsx';
import styles from './styles.css?url';
import { Versions } from './versions.tsx';

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
