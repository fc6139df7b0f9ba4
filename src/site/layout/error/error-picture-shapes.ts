/** A shape of the picture, as SVG names it. */
interface Shape {
  readonly element: 'circle' | 'path';
  /** Its class, behind `error-picture-`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const adrift = 'rotate(-9 160 110)';

/** The width and height that the shapes are drawn in. */
export const errorPictureBox = '0 0 320 180';

/** The site's boat, adrift under the moon with its load overboard; from the back to the front. */
export const errorPictureShapes: readonly Shape[] = [
  { element: 'circle', name: 'moon', attributes: { cx: '238', cy: '46', r: '22' } },
  {
    element: 'path',
    name: 'stars',
    attributes: { d: 'M60 40v8m-4-4h8M118 22v6m-3-3h6M286 84v6m-3-3h6M34 88v6m-3-3h6' },
  },
  { element: 'path', name: 'hull', attributes: { d: 'M96 100h128l-20 36h-88z', transform: adrift } },
  { element: 'path', name: 'mast', attributes: { d: 'M160 100V52m0 0 34 34h-34', transform: adrift } },
  {
    element: 'path',
    name: 'load',
    attributes: { d: 'M52 126h26v20H52zm0 0 13-8 13 8m-13 0v20', transform: 'rotate(14 65 132)' },
  },
  {
    element: 'path',
    name: 'wave',
    attributes: {
      d: 'M4 146c20 0 20 10 40 10s20-10 39-10 19 10 39 10 19-10 39-10 19 10 39 10 19-10 39-10 19 10 39 10 19-10 38-10',
    },
  },
  {
    element: 'path',
    name: 'wave-far',
    attributes: {
      d: 'M24 166c20 0 20 8 40 8s20-8 39-8 19 8 39 8 19-8 39-8 19 8 39 8 19-8 39-8 19 8 38 8',
    },
  },
];
