import { translation } from '../catalog.ts';
import type english from '../en/wallets.ts';

/** Strings of the wallet picker, for posters and for owners of agents. */
export default translation<typeof english>({
  none: '此浏览器中未找到钱包。请安装钱包扩展并重新加载本页。',
  test: '测试钱包',
  testHint: '在此浏览器中为测试网络创建，只存放测试资金。',
  chain: '链 {chainId}',
});
