/** The OpenAPI documents as texts of JSON. The build makes them, with the code of `src/service/openapi/document.ts`. */
declare module 'virtual:openapi' {
  export const gateway: string;
  /** The document of the admin API. */
  export const admin: string;
}
