/** A line or more of text in a drawing. */
export interface DrawnText {
  readonly text: string;
  /** BCP 47: it chooses between the shapes that languages give to one character. */
  readonly lang: string;
  /** CSS colour. */
  readonly colour: string;
  /** The box, px. The text begins at its upper edge, on the side where its language begins. */
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
  readonly direction: 'ltr' | 'rtl';
  /** Font sizes to try, in px, the largest first: the first that fits is used, else the last. */
  readonly sizes: readonly number[];
}

/** A picture to be drawn: shapes as SVG, another picture over them, and text over all. */
export interface Drawing {
  /** Px. */
  readonly width: number;
  readonly height: number;
  /** A document of that size, without text. */
  readonly svg: string;
  /** Fills its box, its corners rounded. */
  readonly inset: {
    readonly bytes: Uint8Array;
    readonly box: DrawnText['box'];
    readonly radius: number;
  } | null;
  readonly texts: readonly DrawnText[];
}
