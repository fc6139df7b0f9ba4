/** The downloader pages of the repository's site configuration. */
export const downloaderPages = ['tiktok-downloader', 'tiktok-video-downloader', 'download-mp3-tiktok'];
