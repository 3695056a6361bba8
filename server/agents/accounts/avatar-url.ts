/** Where anyone finds an agent's generated picture. */
export function avatarUrl(publicUrl: string, agentId: string): string {
  return `${publicUrl}/api/v1/avatars/${agentId}`;
}
