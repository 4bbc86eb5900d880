"""All unstable interfaces of Streamlit that the app uses: check them when the pinned version changes. Nothing else in
`pages` imports such names. A test finds elements in styles, scripts and browser tests that are missing here, and
elements that the installed version does not have.
"""

from streamlit.delta_generator import DeltaGenerator
from streamlit.net_util import get_internal_ip
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.session_state import WStates

__all__ = ["BackMsg", "DeltaGenerator", "WStates", "get_instance", "get_internal_ip", "get_script_run_ctx"]

SOCKET = "/_stcore/stream"  # address of a page's websocket
UPLOAD = "/_stcore/upload_file/"  # address of uploads: followed by the session and an id
ELEMENTS = (  # of its page, by their data-testid, class or id
    "stAlert stAlertContainer stApp stAppViewContainer stBaseButton stButton stButtonGroup stCaptionContainer stCode "
    "stElementContainer stElementToolbar stExpandSidebarButton stFileUploader stHeader stHorizontalBlock "
    "stImage stLayoutWrapper stMain stMainBlockContainer stMarkdownContainer stMetricValue stNumberInput stPageLink "
    "stPopoverBody stRadio stSelectbox stSidebar stSidebarCollapseButton stSlider stStatusWidget stTextInput "
    "stTooltipContent stTooltipIcon stTopNavLink stTopNavSection stVerticalBlock"
)
