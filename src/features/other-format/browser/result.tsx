import { offersPictures, offersSound } from '../../../site/pages/tool/files/choose-options.ts';
import { OtherPageLink, otherPageFor } from '../../../site/pages/tool/result/other-page.tsx';
import type { ResultPart, ResultPartProps } from '../../../site/pages/tool/result/result-parts.tsx';
import { useTranslate } from '../../../site/translation.tsx';

/** Leads to the page that has what this one leaves out of a post, with the post. */
function OtherFormat({ result, buttons, others }: ResultPartProps) {
  const t = useTranslate<'other-format' | 'tool'>();
  const wanted = !offersSound(buttons) ? 'sound' : !offersPictures(buttons) ? 'picture' : null;
  const page = wanted === null ? null : otherPageFor(result, buttons, others, wanted);
  if (page === null) return null;
  const isSlideshow = result.post.kind === 'photos';
  return (
    <OtherPageLink page={page} post={result.post} className="button button-quiet">
      {wanted === 'sound' ? t('other.sound') : isSlideshow ? t('instead.pictures') : t('other.video')}
    </OtherPageLink>
  );
}

export default {
  place: 'files',
  order: 20,
  catalogue: 'other-format',
  Part: OtherFormat,
} satisfies ResultPart;
