/** The header with the id of the world that answered. In an admin call: the world that the call is meant for. */
export const worldHeader = 'x-mock-world';

/** The header that is `yes` if this very call created the world. */
export const newWorldHeader = 'x-mock-world-new';

/** The header that names the server whose reply this is: the call was passed on to it. */
export const upstreamHeader = 'x-mock-upstream';

/** The header by which a client knows that the admin API answers. */
export const adminMark = 'x-mock-admin';
