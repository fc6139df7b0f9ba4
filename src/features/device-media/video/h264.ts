/** A 16 by 16 macroblock count above which level 4.0 ends (ITU-T H.264, table A-1). */
const mostOfLevel4 = 8192;

/** The codec string (RFC 6381) of H.264 High for pictures of a size: level 4.0, or 5.1 where that is too small. */
export const h264For = (width: number, height: number): string =>
  Math.ceil(width / 16) * Math.ceil(height / 16) > mostOfLevel4 ? 'avc1.640033' : 'avc1.640028';
