import { offersPictures, offersSound } from '../../../site/pages/tool/files/choose-options.ts';
import { OtherPageLink, otherPageFor } from '../../../site/pages/tool/result/other-page.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';
import { Icon } from '../../../site/ui/icon.tsx';

/** Leads to the page that has what this one leaves out of a post, with the post. */
function OtherFormat({ result, buttons, others }: ResultPartProps) {
  const t = useTranslate<'other-format' | 'tool'>();
  const wanted = !offersSound(buttons) ? 'sound' : !offersPictures(buttons) ? 'picture' : null;
  const page = wanted === null ? null : otherPageFor(result, buttons, others, wanted);
  if (page === null) return null;
  const isSlideshow = result.post.kind === 'photos';
  return (
    <OtherPageLink page={page} post={result.post} className="result-row">
      <Icon name={wanted === 'sound' ? 'music' : isSlideshow ? 'images' : 'download'} />
      <span>
        {' '}
        {wanted === 'sound' ? t('other.sound') : isSlideshow ? t('instead.pictures') : t('other.video')}
      </span>
    </OtherPageLink>
  );
}

export default {
  place: 'more',
  order: 20,
  catalogue: 'other-format',
  Part: OtherFormat,
} satisfies ResultPart;
