/** An old post that many people see, for checks that name no other one. */
export const canaryPost = 'https://www.tiktok.com/@tiktok/video/7106594312292453675';
