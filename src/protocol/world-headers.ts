/** The header with the identity of the world that gave a reply. */
export const worldHeader = 'x-mock-world';

/** The header that says `yes` where the call that is answered made that world. */
export const newWorldHeader = 'x-mock-world-new';

/** The header by which a client knows that the admin API answers. */
export const adminMark = 'x-mock-admin';
