import type { DownloadOption, VideoVersion } from '../../../site/api.ts';
import { formatBytes } from '../../../site/pages/tool/files/sizes.ts';
import { useLocale, useTranslate } from '../../../site/translation.tsx';
import { FileLink } from './file-link.tsx';

/** Every encoding of a video with what it is, and where it plays. */
export function Versions(props: { versions: readonly VideoVersion[]; options: readonly DownloadOption[] }) {
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
