/** Makes videos with the browser's own codecs. */

import type { SlideshowOrder, VideoOrder } from '../messages.ts';
import { serve } from '../serve.ts';
import { convertVideo } from './convert/convert.ts';
import { makeSlideshow } from './slideshow/make-slideshow.ts';

serve((order: SlideshowOrder | VideoOrder, tell) =>
  'parts' in order ? makeSlideshow(order, tell) : convertVideo(order, tell),
);
