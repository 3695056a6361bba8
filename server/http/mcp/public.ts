// The tools over the Model Context Protocol: the public interface of http/mcp/.

export { mountMcp } from './mount.ts';
