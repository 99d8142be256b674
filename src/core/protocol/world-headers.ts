/** The header with the id of the world that answered. In an admin call: the world that the call expects. */
export const worldHeader = 'x-mock-world';

/** The header that is `yes` if this call created the world. */
export const newWorldHeader = 'x-mock-world-new';

/** The header with the URL of the server to which the call was forwarded. If that failed, the reply is ours. */
export const upstreamHeader = 'x-mock-upstream';

/** The header of all replies of the admin API: clients recognise it by this header. */
export const adminMark = 'x-mock-admin';
