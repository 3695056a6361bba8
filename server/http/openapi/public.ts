// The OpenAPI document and its reference page: the public interface of http/openapi/.

export { API_VERSION, mountReference } from './reference.ts';
export { AUDIENCES } from './audiences.ts';
