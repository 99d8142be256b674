/** The header with the id of the world that answered. In an admin call: the world that the call expects. */
export const worldHeader = 'x-mock-world';

/** The header that is `yes` if this very call created the world. */
export const newWorldHeader = 'x-mock-world-new';

/** The header that names the server whose reply this is: the call was forwarded to it. */
export const upstreamHeader = 'x-mock-upstream';

/** The header of all replies of the admin API, by which clients recognise it. */
export const adminMark = 'x-mock-admin';
